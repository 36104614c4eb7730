"""Storages that hold the results of a study."""

from contextlib import contextmanager

from needs import needs, needs_module


class Folder:
    """A folder that stands for the storage of a study."""

    def __init__(self, folder):
        """The folder is made when something is stored."""
        needs("rsync", "rsync")
        needs_module("snakemake_storage_plugin_fs")
        self.folder = folder
        self.options = options("fs", str(folder))

    def produced(self):
        """The contents of results and figures by their paths, as `Study.produced`."""
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for part in ("results", "figures")
            for path in (self.folder / part).rglob("*")
            if path.is_file()
        }


class Bucket:
    """A bucket of an S3 on this machine."""

    def __init__(self, endpoint):
        """The bucket is made when something is stored."""
        import boto3  # not on every machine

        self.options = options("s3", "s3://bucket/study")
        self.variables = {
            "SNAKEMAKE_STORAGE_S3_ENDPOINT_URL": endpoint,
            "SNAKEMAKE_STORAGE_S3_ACCESS_KEY": "anyone",
            "SNAKEMAKE_STORAGE_S3_SECRET_KEY": "none",
        }
        self._bucket = boto3.resource(
            "s3",
            endpoint_url=endpoint,
            region_name="us-east-1",
            aws_access_key_id="anyone",
            aws_secret_access_key="none",
        ).Bucket("bucket")

    def produced(self):
        """The contents of results and figures by their paths, as `Study.produced`."""
        return {
            item.key.removeprefix("study/"): item.get()["Body"].read()
            for part in ("results", "figures")
            for item in self._bucket.objects.filter(Prefix=f"study/{part}/")
        }


@contextmanager
def s3():
    """Start an S3 with a bucket for a study."""
    needs_module("snakemake_storage_plugin_s3")
    needs_module("moto")
    from moto.server import ThreadedMotoServer  # takes a second

    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        yield Bucket(f"http://{host}:{port}")
    finally:
        server.stop()


def options(provider, prefix):
    return (f"--default-storage-provider={provider}", f"--default-storage-prefix={prefix}")
