import { say, shortName } from '../../domain/said.ts';
import type { FileReference } from '../services/files.ts';
import { formatMention, mentionsInWords, parseMention, type Mention } from '../typed-text.ts';
import { invalid, usualKind, valueOf, type FieldBase, type FieldKind } from './field-kind.ts';

/** A file on the platform. On a command line, a channel or user group is named instead, for its people. */
interface FileField extends FieldBase {
  kind: 'file';
  /** Without the dot. The name of a file says little, so the operation looks at its content. */
  extensions: readonly string[];
}

export type FileSource = ({ kind: 'file' } & FileReference) | { kind: 'members'; mention: Mention };

export const fileKind: FieldKind<FileField, FileSource> = {
  ...usualKind,
  resolve([text = ''], _field, { platform }) {
    const file = parseFile(text);
    if (file) return valueOf({ kind: 'file', ...file });
    const mention = parseMention(text);
    if (mention && mention.kind !== 'person') return valueOf({ kind: 'members', mention });
    return invalid(
      say`Choose a file, or type # or @ and choose a channel or user group from the list that ${platform.name} offers.`,
    );
  },
  identify: (source) => [source.kind === 'file' ? formatFile(source) : formatMention(source.mention)],
  describe: sourceName,
};

/** What an import takes. */
export const fileBytesAtMost = 5_000_000;
export const rowsAtMost = 5_000;

export const tooBig = say`The file is larger than ${fileBytesAtMost / 1_000_000} MB. Split it into several files.`;

/** The file or the channel as people write it: `new-hires.csv`, `#new-hires`. */
export function sourceName(source: FileSource): string {
  return source.kind === 'file' ? source.name : mentionsInWords(formatMention(source.mention));
}

/** In UTF-16 units. */
const longestName = 100;

/** A file as text, by its id and name: `file:F123|new-hires.csv`. */
export function formatFile({ id, name }: FileReference): string {
  return `file:${id}|${shortName(name, longestName)}`;
}

/** Reads what `formatFile` writes; undefined for any other text. */
function parseFile(text: string): FileReference | undefined {
  const [, id, name = ''] = /^file:([A-Z0-9]+)\|(.*)$/.exec(text) ?? [];
  return id === undefined ? undefined : { id, name: name || 'the file' };
}

/** What a person said that the columns of a file hold: `3=email_address` for the fourth, how its letters are written, and which sheet has the people. The operation asks for it with a form of its own. */
interface ColumnsField extends FieldBase {
  kind: 'columns';
  optional: true;
  typedOnly: true;
}

export const columnsKind: FieldKind<ColumnsField, string[]> = {
  ...usualKind,
  split: () => [],
  resolve: (texts) =>
    texts.every((text) => /^\d{1,3}=\w{1,30}$|^letters=[a-z\d-]{1,20}$|^sheet=\d{1,2}$|^ask$/.test(text))
      ? valueOf([...texts])
      : invalid(say`Choose what the columns hold in the form.`),
  identify: (value) => value,
  describe: (value) => value.join(', '),
};
