/** What an import does with a row. `differs`: the user exists and differs, and stays as they are. */
export type ImportedRowKind =
  'create' | 'update' | 'same' | 'differs' | 'conflict' | 'repeated' | 'outsider' | 'gone' | 'no address' | 'invalid';

/** What an import would do with the rows of its source. Texts are sentences of `domain/sentence.ts`. */
export interface ImportSummary {
  /** The file, channel or user group, as people write it. */
  source: string;
  /** People know the rows by their lines: the source is a file. */
  hasLines: boolean;
  counts: Partial<Record<ImportedRowKind, number>>;
  /** `of`: as `idOfRow` has it, here and below. Rows in which nothing happens though the person may want it, in the order of the file; at least the first few. */
  problems: readonly { line: number; of?: string; person?: string; note: string }[];
  /** The people whom the source says are gone; as `problems`. `suspend`: the ID of a user who still can sign in. */
  gone?: readonly (ImportSummary['problems'][number] & { suspend?: string })[];
  /** Default: as many as `problems` has. */
  problemCount?: number;
  /** Names of the people who would become trainers or administrators, or get rights. */
  privileged: readonly string[];
  notices: readonly string[];
  /** More than half of the new users would have no name: the import cannot be started. */
  lacksNames?: { count: number; total: number };
  /** Some names as the bot read them, those first that it changed most. */
  names?: readonly { of?: string; written: string; first: string; last: string }[];
  /** Everybody in a short source who is no problem; its rows are not sent as a file. */
  people?: readonly { of?: string; kind: ImportedRowKind; person: string }[];
  /** New users with an e-mail address to whom the service mails no password. */
  withoutMail?: number;
}
