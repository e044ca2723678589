"""Bar charts as SVG, in colours that stay readable on white and on black."""

import html

COLORS = {"SQLite": "#2f81c7", "PostgreSQL": "#c2661d"}
GREY = "#7d8590"
WIDTH, LEFT, RIGHT, BAR, GAP = 760, 170, 110, 18, 14


def bars(title, unit, groups):
    """`groups` are pairs of a label and {series: value}; every value is written beside its bar."""
    largest = max((value for _, values in groups for value in values.values()), default=1) or 1
    y, parts = 62, []
    for label, values in groups:
        middle = y + BAR * len(values) / 2 + 5
        parts.append(f'<text x="{LEFT - 10}" y="{middle:.0f}" text-anchor="end" fill="{GREY}">'
                     f'{html.escape(label)}</text>')
        for series, value in values.items():
            width = max(1, value / largest * (WIDTH - LEFT - RIGHT))
            parts.append(f'<rect x="{LEFT}" y="{y}" width="{width:.1f}" height="{BAR - 3}" rx="2" '
                         f'fill="{COLORS[series]}"/>')
            parts.append(f'<text x="{LEFT + width + 6:.1f}" y="{y + 12}" fill="{GREY}">{value:,.0f}</text>')
            y += BAR
        y += GAP
    key, x = [], LEFT
    for series in groups[0][1]:
        key.append(f'<rect x="{x}" y="34" width="12" height="12" rx="2" fill="{COLORS[series]}"/>'
                   f'<text x="{x + 18}" y="45" fill="{GREY}">{series}</text>')
        x += 120
    heading = f'<text x="10" y="20" font-weight="bold" fill="{GREY}">{html.escape(title)}, {html.escape(unit)}</text>'
    lines = "\n".join([heading, *key, *parts])
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}" '
            f'role="img" font-family="sans-serif" font-size="13">\n<title>{html.escape(title)}</title>\n{lines}\n</svg>\n')
