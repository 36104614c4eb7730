"""A stand-in for Kubernetes: what Snakemake asks of its API, and pods that are empty folders.

Images, nodes, limits and permissions are not looked at.
"""

import base64
import json
import os
import subprocess
import sys
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

KUBECONFIG = """
current-context: here
contexts: [{{name: here, context: {{cluster: here, user: me}}}}]
clusters: [{{name: here, cluster: {{server: "{url}"}}}}]
users: [{{name: me, user: {{}}}}]
"""


class Pods:
    """Jobs, each a process in a folder of its own, with nothing of this one's but its programs."""

    def __init__(self, folder):
        """In the folder are the pods' ones, and the configuration of a client."""
        self.folder, self.processes, self.secrets, self.bodies = folder, {}, {}, []
        programs = folder / "programs"
        programs.mkdir(parents=True)
        (programs / "pip").write_text("#!/bin/sh\n")  # what it would install is there
        (programs / "pip").chmod(0o755)
        python = Path(sys.executable).parent
        self.path = os.pathsep.join([str(programs), str(python), os.environ["PATH"]])

    def create_secret(self, body):
        self.secrets[body["metadata"]["name"]] = {
            key: base64.b64decode(value).decode() for key, value in body["data"].items()
        }

    def create_job(self, body):
        self.bodies.append(body)
        name = body["metadata"]["name"]
        (container,) = body["spec"]["template"]["spec"]["containers"]
        place = self.folder / name
        place.mkdir()
        references = {each["name"]: each["valueFrom"]["secretKeyRef"] for each in container["env"]}
        variables = {
            variable: self.secrets[one["name"]][one["key"]] for variable, one in references.items()
        }
        with open(self.folder / f"{name}.out", "wb") as out:
            self.processes[name] = subprocess.Popen(
                [*container["command"], *container["args"]],
                cwd=place,
                env={"PATH": self.path, "HOME": str(place)} | variables,
                stdout=out,
                stderr=out,
            )

    def status(self, name):
        code = self.processes[name].poll()
        return {"active": 1} if code is None else {"failed" if code else "succeeded": 1}


@contextmanager
def kubernetes(folder):
    """Pods, and the variable by which a client finds them."""
    pods = Pods(folder)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            create = pods.create_secret if self.path.endswith("/secrets") else pods.create_job
            create(body)
            self.answer({"metadata": body["metadata"]})

        def do_GET(self):
            *_, jobs, name, status = self.path.split("/")
            if (jobs, status) == ("jobs", "status"):
                self.answer({"status": pods.status(name)})
            else:
                self.answer({"items": []})

        def do_DELETE(self):
            self.answer({})

        def answer(self, content):
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(content).encode())

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    configuration = folder / "kubeconfig"
    configuration.write_text(KUBECONFIG.format(url=f"http://127.0.0.1:{server.server_port}"))
    try:
        yield pods, {"KUBECONFIG": str(configuration)}
    finally:
        server.shutdown()
        server.server_close()
        for process in pods.processes.values():
            process.kill()
            process.wait()
