import type { Match } from '../../directory/name-index.ts';
import { tellApart } from '../../directory/names.ts';
import type { Target } from '../../domain/approval-request.ts';
import { unquote, type Clause, type Taken, type Token } from '../typed-text.ts';
import type { OperationContext, Right } from '../context.ts';
import { unclear, type Candidate, type Noun, type UnclearValue } from '../text-input.ts';

/** What fields of every kind have. */
export interface FieldBase {
  label: string;
  hint?: string;
  optional?: true;
  /** How it is typed, in a line whose parts come in any order. */
  clause?: Clause;
  /** Has no input in forms, where other fields hold its parts. */
  typedOnly?: true;
  /** The field applies, and forms show it, only while another field holds one of these values. */
  shownWhen?: { field: string; is: readonly string[] };
  /** In a form it stands behind **More…**, unless it holds something. */
  isMore?: true;
  /** What the form calls the field while the other field holds this value. */
  labelWhen?: Readonly<Record<string, { label: string; hint?: string }>>;
}

/** Everything the core knows about a kind of field `F` whose value is a `V`. */
export interface FieldKind<F extends FieldBase, V> {
  /** Whether a field that is left empty follows from where the person is. */
  followsFromPlace: boolean;
  /** Whether a person with these rights can name such a thing. A person can only ask for what they can name. */
  canName(rights: ReadonlySet<Right>, field: F): boolean;
  /** The texts in what is typed for the field on a command line. */
  split(typed: string, field: F): string[];
  /** What the tokens from an index on say for the field, in a clause; without it, a clause has names up to the next. */
  take?(tokens: readonly Token[], from: number, field: F): Taken | undefined;
  /** From texts to the value. Without texts only when `followsFromPlace`. */
  resolve(typed: readonly string[], field: F, context: OperationContext): ResolvedValue<V> | Promise<ResolvedValue<V>>;
  /** The value as texts that are stored: things by their ids, so that a new name changes nothing. `resolve` reads them. */
  identify(value: V): string[];
  /** The value in plain words. */
  describe(value: V, field: F): string;
  /** What an operation with this value acts on, as it was read last. */
  targets(value: V): Target[];
  /** The value as the service has it now; undefined when it is gone, and then the directory forgets it. */
  refetch(
    value: V,
    context: Pick<OperationContext, 'api' | 'directory' | 'visibility' | 'call'>,
  ): Promise<V | undefined>;
  /** The values a picker offers for a typed text, the best first. Never waits for the service once lists are loaded. */
  narrow(text: string, field: F, options: NarrowOptions): Promise<V[]>;
}

export type NarrowOptions = Pick<
  OperationContext,
  'directory' | 'visibility' | 'actor' | 'rights' | 'channelId' | 'identity' | 'now' | 'campaigns' | 'alerts'
> & {
  limit: number;
};

export type ResolvedValue<V> = { kind: 'value'; value: V } | InvalidValue | UnclearValue;

/** `isUnknown`: the text is nothing of the kind, and may be part of a name. `clause`: what was typed, where it is a clause, and what to type;
 * `isExplained`: the message says more than that. */
interface InvalidValue {
  kind: 'invalid';
  message: string;
  isUnknown?: true;
  isExplained?: true;
  /** `word`: the usual word of the clause, which stands before it in a line unless it was left out. */
  clause?: { typed: string; word: string | undefined; example: string; isExplained?: true };
}

/** What kinds have in common, unless their values name something that the account has, or a picker offers them. A line has one of them. */
export const usualKind = {
  followsFromPlace: false,
  canName: () => true,
  split: (typed: string) => [unquote(typed)],
  targets: () => [],
  refetch: async <V>(value: V) => value,
  narrow: async () => [],
};

export function valueOf<V>(value: V): ResolvedValue<V> {
  return { kind: 'value', value };
}

export function invalid(message: string): InvalidValue {
  return { kind: 'invalid', message };
}

/** As `invalid`, for a text that is nothing of the kind. */
export function unknownText(message: string): InvalidValue {
  return { kind: 'invalid', message, isUnknown: true };
}

/** The values of several texts, or what the first of them is that has none. */
export async function resolveEach<V>(
  texts: readonly string[],
  resolve: (text: string) => Promise<ResolvedValue<V>>,
): Promise<ResolvedValue<V[]>> {
  const values: V[] = [];
  for (const [index, text] of texts.entries()) {
    const resolved = await resolve(text);
    if (resolved.kind !== 'value') return resolved.kind === 'unclear' ? { ...resolved, index } : resolved;
    values.push(resolved.value);
  }
  return valueOf(values);
}

/** What is found of a value; what it is instead, where it is none. */
export function mapped<V, Found>(resolved: ResolvedValue<V>, find: (value: V) => Found): ResolvedValue<Found> {
  return resolved.kind === 'value' ? valueOf(find(resolved.value)) : resolved;
}

/** The one thing a name fits, or what it could have meant. */
export function fromMatch<Item>(
  typed: string,
  noun: Noun,
  match: Match<Item>,
  {
    candidate,
    traits = () => [],
  }: { candidate: (item: Item) => Candidate; traits?: (item: Item) => readonly string[] },
): ResolvedValue<Item> {
  if (match.kind === 'one') return valueOf(match.item);
  const items = match.kind === 'several' ? match.items : match.nearest;
  const labels = tellApart(
    items.map((item) => ({ name: candidate(item).label, id: candidate(item).value, traits: traits(item) })),
  );
  const candidates = items.map((item, at) => ({ ...candidate(item), label: labels[at]! }));
  return unclear(typed, noun, candidates, match.kind === 'several' ? { count: match.count } : { isAlike: false });
}
