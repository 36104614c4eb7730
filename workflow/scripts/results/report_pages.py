"""The report's pages, one for each table or text, and its first page."""

from pathlib import Path

from skewproof_studies.pipeline.report.pages import page_of_csv, page_of_markdown
from skewproof_studies.pipeline.report.start_page import start_page
from skewproof_studies.pipeline.writing.files import start, write_text

log, texts = start(snakemake), {}
folder = Path(snakemake.output.start).parent
for table, page in zip(snakemake.input.tables, snakemake.output.pages, strict=True):
    name = str(Path(page).relative_to(folder).with_suffix(""))
    text = texts[name] = Path(table).read_text(encoding="utf-8")
    make = page_of_csv if name.endswith(".csv") else page_of_markdown
    write_text(make(text, name), page)
    log.info("%s", page)
write_text(start_page(texts), snakemake.output.start)
