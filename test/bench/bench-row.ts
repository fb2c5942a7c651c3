/** One row in the output of `npm run bench`. */
export interface BenchRow {
  name: string;
  figure: string;
  goal?: string;
  met?: boolean;
}
