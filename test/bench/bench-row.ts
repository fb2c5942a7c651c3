/** One line of what `npm run bench` prints. */
export interface BenchRow {
  name: string;
  figure: string;
  goal?: string;
  met?: boolean;
}
