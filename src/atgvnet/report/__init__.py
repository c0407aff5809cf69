"""What a person looks at: the paper's figures, and one page that shows a benchmark's maps, errors and surfaces."""

from atgvnet.report.gallery import Gallery, Sheet
from atgvnet.report.page import prepare_folder, write_page

__all__ = ["Gallery", "Sheet", "prepare_folder", "write_page"]
