/** A date as the service writes it: UTC, `yyyy-MM-dd hh:mm:ss` on the 24-hour clock (specification, section 2). */
export function formatDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
