"""Books: EPUB, HTML, plain text, Aozora Bunko's notation, DOCX and Markdown to chapters and paragraphs."""
