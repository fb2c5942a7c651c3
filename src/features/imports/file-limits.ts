import { say } from '../../domain/said.ts';

/** What an import takes. */
export const fileBytesAtMost = 5_000_000;
export const rowsAtMost = 5_000;

export const tooBig = say`The file is larger than ${fileBytesAtMost / 1_000_000} MB. Split it into several files.`;
