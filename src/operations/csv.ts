const byteOrderMark = '\uFEFF';

/**
 * Rows as a CSV file (RFC 4180) that spreadsheets open as UTF-8. Numbers stay numbers. A text that a spreadsheet would
 * run as a formula gets an apostrophe in front (https://owasp.org/www-community/attacks/CSV_Injection).
 */
export function formatCsv(rows: readonly (readonly (string | number)[])[]): string {
  return byteOrderMark + formatRows(rows);
}

/** Rows that follow others in such a file. */
export function formatRows(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(formatCell).join(',')}\r\n`).join('');
}

function formatCell(value: string | number): string {
  return typeof value === 'number' ? String(value) : quote(defuse(value));
}

/**
 * The sign a formula begins with, at the beginning of a text and behind any separator of cells. Where a comma marks
 * decimals, spreadsheets separate cells with semicolons, and the quotes of RFC 4180 do not protect a text there. Some
 * spreadsheets take full-width signs for the usual ones. A sign behind apostrophes gets another one, so that each can be
 * taken off again. Time in proportion to the length: what stands before one sign is not looked at for another.
 */
const formulaSigns = /[=+\-@＝＋－＠](?<=(?:^|[;,|\t\r\n])[\s"]*'*[=+\-@＝＋－＠])/gu;
const addedApostrophes = /'(?=[=+\-@＝＋－＠])(?<=(?:^|[;,|\t\r\n])[\s"]*'+)/gu;

function defuse(text: string): string {
  const tamed = text.replaceAll(formulaSigns, "'$&");
  return /^'*[\t\r\n]/.test(tamed) ? `'${tamed}` : tamed;
}

/** Whether a spreadsheet would run the text, or a part of it. */
export function isFormula(text: string): boolean {
  return defuse(text) !== text;
}

/** A cell that `formatCsv` wrote, as the text it was. */
export function withoutAddedApostrophes(cell: string): string {
  const tamed = /^'+[\t\r\n]/.test(cell) ? cell.slice(1) : cell;
  return tamed.replaceAll(addedApostrophes, '');
}

function quote(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
