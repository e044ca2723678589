// The field Link of a page of rows.

// The query of the address that leads to the next page, or null where there is none.
export function linkQuery(field) {
  for (const part of (field ?? "").split(/,(?=[^,]*;\s*rel=)/)) {
    const match = /^\s*<?([^>;\s]+)>?\s*;\s*rel="?next"?/.exec(part);
    if (match) {
      const at = match[1].indexOf("?");
      return at < 0 ? "" : match[1].slice(at + 1);
    }
  }
  return null;
}
