"""A Slurm of one node on this machine, without systemd: munge, slurmctld and slurmd."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

CONFIGURATION = Path("/etc/slurm/slurm.conf")
"""Path at which Debian's programs, and squeue and srun called by jobs, look for the file."""

HEAD = "# Written by tests/cluster/slurm.py, and removed by it."

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel")

PATIENCE = 30
"""Seconds in which a daemon has to answer."""

LINES = """
ClusterName=one_machine
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthInfo=socket={folder}/munge.socket
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
MpiDefault=none
SchedulerParameters=batch_sched_delay=0
ReturnToService=2
KillWait=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 RealMemory=16000
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def impossible() -> str | None:
    """Return the reason if Slurm cannot run here."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        return f"{', '.join(missing)} not installed: the package is slurm-wlm"
    if os.geteuid() != 0:
        return "munge and Slurm are started as root, and this is another user"
    if CONFIGURATION.exists() and not CONFIGURATION.read_text().startswith(HEAD):
        return f"{CONFIGURATION}: this machine belongs to a cluster already"
    if CONFIGURATION.exists() and answers("sinfo", "--noheader"):
        return "another run of these tests has its Slurm up on this machine"
    return None


class OneMachine:
    """Munge, slurmctld and slurmd, from entering the context to leaving it."""

    def __init__(self, folder: Path):
        """Logs, state and process ids are in this folder."""
        self.folder, self.daemons = folder, {}

    def __enter__(self) -> OneMachine:
        reason = impossible()
        if reason:
            raise RuntimeError(reason)
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "munge.key").write_bytes(os.urandom(128))
        (self.folder / "munge.key").chmod(0o600)
        host = socket.gethostname().partition(".")[0]
        CONFIGURATION.write_text(HEAD + LINES.format(host=host, folder=self.folder))
        try:
            self._start_munge()
            self._start("slurmctld", "-D", "-i", "-c")
            self.start_node()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_exception: object) -> None:
        try:
            answers("scancel", "--user=root", "--full")
            wait_until(lambda: not answers("squeue", "--noheader"))
        finally:
            for name in reversed(list(self.daemons)):
                self._stop(name, signal.SIGTERM)
            CONFIGURATION.unlink(missing_ok=True)

    def start_node(self) -> None:
        """Start the node's daemon, and wait until Slurm counts on the node."""
        self._start("slurmd", "-D")
        wait_until(
            lambda: answers("sinfo", "--noheader", "--format=%T") in ("idle", "mixed", "allocated")
        )

    def kill_node(self) -> None:
        """Kill the node's daemon; what it has started runs on."""
        self._stop("slurmd", signal.SIGKILL)

    def _start_munge(self) -> None:
        paths = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log"}
        options = [f"--{name}={self.folder}/munge.{ending}" for name, ending in paths.items()]
        self._start(
            "munged", "--foreground", "--force", f"--seed-file={self.folder}/seed", *options
        )
        wait_until((self.folder / "munge.socket").exists)

    def _start(self, name: str, *arguments: str) -> None:
        with open(self.folder / f"{name}.out", "ab") as out:
            self.daemons[name] = subprocess.Popen(
                [shutil.which(name), *arguments],
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def _stop(self, name: str, how: signal.Signals) -> None:
        daemon = self.daemons.pop(name)
        daemon.send_signal(how)
        daemon.wait(PATIENCE)


def answers(*command: str) -> str:
    """Return the output of a command of Slurm, or an empty text if it fails."""
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def wait_until(condition, patience: float = PATIENCE) -> None:
    """Ask repeatedly, up to a number of seconds."""
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{condition} after {patience} s")
        time.sleep(0.1)
