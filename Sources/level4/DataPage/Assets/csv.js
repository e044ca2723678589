// Tables as text: comma separated values (RFC 4180), or those that spreadsheets put into the clipboard.

// Rows of fields, {text, isQuoted}: an empty field without quotes is null, one with quotes an empty text. `isOpen` says
// that a quote was never closed, and took in all that followed. The apostrophe by which a download or a spreadsheet says
// that the like of a formula is text is no part of it.
export function parseCSV(all, separator = separatorOf(all)) {
  // Spreadsheets begin a file by a mark that is no part of it.
  const text = all.replace(/^\uFEFF/, "");
  const rows = [];
  rows.isOpen = false;
  let row = [], field = "", isQuoted = false, place = 0;
  const endField = () => {
    row.push({ text: field.replace(/^'(?='*[=+\-@\t\n\r＝＋－＠])/, ""), isQuoted });
    field = "";
    isQuoted = false;
  };
  const endRow = () => {
    endField();
    if (row.length > 1 || row[0].text !== "" || row[0].isQuoted) rows.push(row);
    row = [];
  };
  while (place < text.length) {
    const letter = text[place];
    if (letter === '"' && field === "" && !isQuoted) {
      isQuoted = true;
      const end = endOfQuotes(text, place + 1);
      rows.isOpen ||= end === text.length;
      field = text.slice(place + 1, end).replaceAll('""', '"');
      place = end + 1;
    } else if (letter === separator) {
      endField();
      place += 1;
    } else if (letter === "\n" || letter === "\r") {
      endRow();
      place += letter === "\r" && text[place + 1] === "\n" ? 2 : 1;
    } else {
      field += letter;
      place += 1;
    }
  }
  if (field !== "" || isQuoted || row.length > 0) endRow();
  return rows;
}

// A quote that nothing ends goes on to the end.
function endOfQuotes(text, from) {
  let place = from;
  for (;;) {
    const quote = text.indexOf('"', place);
    if (quote < 0) return text.length;
    if (text[quote + 1] !== '"') return quote;
    place = quote + 2;
  }
}

// The one of tab, semicolon and comma that the first line has most of, outside of quotes.
export function separatorOf(text) {
  const line = text.replace(/"(?:[^"]|"")*"/g, "").split(/\r|\n/, 1)[0];
  const counts = ["\t", ";", ","].map((separator) => [line.split(separator).length, separator]);
  return counts.reduce((best, next) => (next[0] > best[0] ? next : best), [1, ","])[1];
}

// Which column each field is of, by a first row that names columns; else the columns in their order.
export function columnsOf(rows, names) {
  const byName = new Map(names.map((name) => [name.toLowerCase(), name]));
  const first = (rows[0] ?? []).map(({ text }) => byName.get(text.trim().toLowerCase()) ?? null);
  const isHead = first.some((name) => name !== null) && (rows[0] ?? []).every(({ text }) => text.trim() !== "");
  return { isHead, columns: isHead ? first : first.map((_, place) => names[place] ?? null) };
}
