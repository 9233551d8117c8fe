"""Charts: plain data (`blocks`), drawn as marks on a page (one module a kind of chart), written as SVG, PDF or PNG."""
