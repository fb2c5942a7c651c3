import type { ChangePreview, Target } from '../../domain/approval-request.ts';
import type { OperationContext } from '../../operations/context.ts';
import { kindOf, type Field, type Value } from '../../operations/fields/fields.ts';
import type { Operation } from '../../operations/operation.ts';
import { reasonField, unclear } from '../../operations/text-input.ts';
import type { TextInput, Candidate, Noun, UnclearValue } from '../../operations/text-input.ts';
import { asSaid, say, named, capitalized } from '../../domain/said.ts';
import { setImmediate as pause } from 'node:timers/promises';
import type { Directory, NamedList } from '../../directory/directory.ts';
import { invalid, type ResolvedValue } from '../../operations/fields/field-kind.ts';
import { meaningAmong } from '../../operations/other-words/meanings.ts';
import { failedFor } from '../../quiz-api/errors.ts';
import { tokenize } from '../../operations/typed-text.ts';
import { createHash } from 'node:crypto';
import { plainName } from '../../directory/names.ts';
import { resembles } from '../../domain/typing-distance.ts';
import { meansEveryone } from '../../operations/fields/people.ts';
import { everything } from '../rights/rights.ts';

/** What an operation was given, each field resolved. */
export type OperationInput = Readonly<Record<string, Value>>;

/** The input as the service has it now, or the first thing in it that is gone. */
export async function refetch(
  operation: Operation,
  input: OperationInput,
  context: OperationContext,
): Promise<{ input: OperationInput } | { gone: Target; field: string }> {
  const fresh: Record<string, Value> = {};
  for (const { name, field, value } of filledIn(operation, input)) {
    const kind = kindOf(field);
    const now = await kind.refetch(value, context);
    const [gone] = now === undefined ? kind.targets(value) : [];
    if (gone) return { gone, field: name };
    if (now !== undefined) fresh[name] = now;
  }
  return { input: fresh };
}

/** The input as labels and words. */
export function detailsOf(operation: Operation, input: OperationInput): ChangePreview['details'] {
  return filledIn(operation, input).map(({ field, value }) => ({
    label: asSaid(field.label),
    value: kindOf(field).describe(value, field),
  }));
}

/** What the operation acts on, as it was read last. */
export function targetsOf(operation: Operation, input: OperationInput): Target[] {
  return filledIn(operation, input).flatMap(({ field, value }) => kindOf(field).targets(value));
}

/** The input as it is stored: things by their ids, so that a new name changes nothing. */
export function idsOf(operation: Operation, input: OperationInput): TextInput {
  return Object.fromEntries(
    filledIn(operation, input).map(({ name, field, value }) => [name, kindOf(field).identify(value)]),
  );
}

function filledIn({ fields }: Operation, input: OperationInput): { name: string; field: Field; value: Value }[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const value = input[name];
    return value === undefined ? [] : [{ name, field, value }];
  });
}

/** What came of an input. Messages are sentences of `domain/said.ts`. */
export type ResolvedInput =
  | { kind: 'read'; input: Record<string, Value> }
  | { kind: 'incomplete'; field: string }
  | FieldProblem
  | UnclearLine;
/** Each text of a field is searched for in the directory. */
const textsAtMost = 100;

type FieldProblem = { field: string } & Exclude<ResolvedValue<Value>, { kind: 'value' }>;

type UnclearLine = { field: string; noun: 'meaning' } & Omit<UnclearValue, 'noun'>;

/**
 * Resolves a line that can be read in several ways, the likeliest first: the first that makes sense. When none does, the
 * first whose names fit several things, else the first with a clause that makes no sense, else what is wrong with the
 * likeliest.
 *
 * A line that also makes sense as one of its `rivals` is unclear: the person says what it means.
 *
 * Before it says that something does not exist, the service is asked once: the lists of the bot can be a minute old.
 */
export async function resolveLikeliest(
  operation: Operation,
  inputs: readonly [TextInput, ...TextInput[]],
  context: OperationContext,
  rescues: readonly TextInput[] = [],
  [rival, ...rivals]: readonly TextInput[] = [],
): Promise<ResolvedInput> {
  const resolve = async () => {
    const usual = await resolveAsKnown(operation, inputs, context, rescues);
    if (rival === undefined || usual.kind === 'incomplete') return usual;
    const other = await resolveAsKnown(operation, [rival, ...rivals], context, []);
    if (Math.min(rankOf(usual), rankOf(other)) >= meantRank)
      return whichOf(operation, [
        [usual, inputs[0]],
        [other, rival],
      ]);
    if (rankOf(other) <= rankOf(usual)) return usual;
    return other.kind === 'unclear' ? { input: rival, ...other } : other;
  };
  const resolved = await resolve();
  const isMissing = resolved.kind === 'unclear' && resolved.noun !== 'meaning' && !resolved.isAlike;
  const latest = isMissing && (await readAgain(resolved.noun, context)) ? await resolve() : resolved;
  const isForChange = operation.access !== 'read' || operation.isPreview;
  return latest.kind === 'unclear' && isForChange ? withoutStrangers(latest) : latest;
}

/**
 * Leaves the nearest names out that lack a whole word of what was typed: pressed, a button for `Rosa Almeida` would do what
 * `not rosa`, `rosa tomorrow` or `rosa and ravi` doesn’t say.
 */
function withoutStrangers<Line extends FieldProblem | UnclearLine>(line: Line): Line {
  if (line.kind !== 'unclear' || line.isAlike) return line;
  if (meansEveryone(line.typed)) return { ...line, candidates: [], strange: line.typed };
  const [nearest] = line.candidates;
  if (nearest === undefined || !/\s/.test(line.typed)) return line;
  const candidates = line.candidates.filter(({ label }) => strangeTo(label, line.typed).length === 0);
  return candidates.length > 0
    ? { ...line, candidates, count: candidates.length }
    : { ...line, candidates, strange: strangeTo(nearest.label, line.typed).join(' ') };
}

/** Articles and words for what a thing is, which names leave out. */
const ofNoName = new Set(
  'the our my a an der die das den dem la le les el los las de het quiz test exam course user person group team'.split(
    ' ',
  ),
);

/** The typed words that no word of a name resembles, or begins with. */
function strangeTo(name: string, typed: string): string[] {
  const words = plainName(name).match(/[\p{L}\p{N}]+/gu) ?? [];
  return typed
    .split(/[\s,;&]+/)
    .filter((word) =>
      (plainName(word).match(/[\p{L}\p{N}]+/gu) ?? []).some(
        (part) => !ofNoName.has(part) && !words.some((other) => resembles(part, other)),
      ),
    );
}

/** Asks which is meant; what is read says what it does. */
function whichOf(operation: Operation, readings: readonly (readonly [ResolvedInput, TextInput])[]): UnclearLine {
  const [field = '', texts = []] = readings.flatMap(([, typed]) => Object.entries(typed))[0] ?? [];
  const candidates = readings.map(([resolved, { [reasonField]: reason, ...typed }]): Candidate => {
    const isRead = resolved.kind === 'read';
    const said = isRead && operation.action && capitalized(operation.action(resolved.input));
    return {
      value: '',
      label: said || (operation.fields[Object.keys(typed)[0] ?? '']?.label ?? ''),
      input: { ...(isRead ? idsOf(operation, resolved.input) : typed), ...(reason && { [reasonField]: reason }) },
    };
  });
  return { field, ...unclear(texts.join(', '), 'meaning', candidates) };
}

const listsOf: Readonly<Partial<Record<Noun, readonly ('quizzes' | 'users' | 'groups')[]>>> = {
  quiz: ['quizzes'],
  user: ['users'],
  group: ['groups'],
  'user or group': ['users', 'groups'],
};

/** A list is one request, and a long one takes the service a while: nobody waits longer for a misspelt name. */
const readAgainTimeoutMs = 5_000;
/** A list that is older may lack what was just made. */
const recentMs = 1_000;

/**
 * Reads the lists in which a name was looked for, unless they are recent, within the person’s share of the budget. Without an
 * answer in time, what is known counts, and the list is read in the background for the next time.
 *
 * @returns whether one was read
 */
async function readAgain(noun: Noun, { directory, call, now }: OperationContext): Promise<boolean> {
  const deadline = Math.min(call.deadline ?? Infinity, now() + readAgainTimeoutMs);
  const read = await Promise.all(
    (listsOf[noun] ?? []).map(async (name) => {
      const list = directory[name];
      const known: readonly unknown[] = await list.get(call);
      try {
        const recent: readonly unknown[] = await list.fresh({ ...call, deadline }, recentMs);
        return recent !== known;
      } catch (error) {
        if (failedFor(error, 'timed out')) list.refresh({ priority: 'background' }).catch(() => {});
        return false;
      }
    }),
  );
  return read.includes(true);
}

/**
 * A line can be written to have many readings. The others do without suggestions, which take most of the time, and the
 * event loop runs between them.
 */
async function resolveAsKnown(
  operation: Operation,
  [likeliest, ...others]: readonly [TextInput, ...TextInput[]],
  context: OperationContext,
  rescues: readonly TextInput[],
): Promise<ResolvedInput> {
  const first = await resolveInput(operation, likeliest, context);
  if (first.kind === 'read') return first;
  const unsuggesting = { ...context, directory: withoutSuggestions(context.directory) };
  let problem: ResolvedInput = first;
  for (const typed of others) {
    await pause();
    const resolved = await resolveInput(operation, typed, unsuggesting);
    if (resolved.kind === 'read') return resolved;
    if (rankOf(resolved) > rankOf(problem))
      problem = resolved.kind === 'unclear' ? { ...resolved, input: typed } : resolved;
  }
  if (first.kind === 'incomplete' && (await makesSense(operation, likeliest, unsuggesting))) return problem;
  for (const typed of rescues) {
    await pause();
    const resolved = await resolveInput(operation, typed, unsuggesting);
    if (resolved.kind === 'read') return resolved;
  }
  return problem;
}

/** Whether everything that was typed is understood, and something is missing. */
async function makesSense(operation: Operation, typed: TextInput, given: OperationContext): Promise<boolean> {
  const fields = Object.fromEntries(Object.entries(operation.fields).filter(([name]) => typed[name] !== undefined));
  return (await resolveInput({ ...operation, fields }, typed, given)).kind === 'read';
}

/** From here on, something is called so. */
const meantRank = 3;

/** How much is known of what is meant: all where it is read, then most where a name fits several things, then where a clause makes no sense. */
function rankOf(resolved: ResolvedInput): number {
  if (resolved.kind === 'read') return 4;
  if (resolved.kind === 'invalid' && resolved.clause) return 2;
  if (resolved.kind !== 'unclear') return 0;
  // What resembles several words can leave some of them out.
  return resolved.isAlike ? meantRank : Number(resolved.candidates.length > 0 && !/\s/.test(resolved.typed));
}

/** Turns what was typed into what the operation takes, or stops at the first field that cannot be resolved. */
export async function resolveInput(
  operation: Operation,
  typed: TextInput,
  given: OperationContext,
): Promise<ResolvedInput> {
  const context = { ...given, isChange: operation.access !== 'read' };
  const input: Record<string, Value> = {};
  for (const [name, field] of Object.entries(operation.fields)) {
    const texts = (typed[name] ?? []).map((text) => text.trim()).filter((text) => text !== '');
    if (texts.length === 0 && !kindOf(field).followsFromPlace) {
      if (field.optional) continue;
      return { kind: 'incomplete', field: name };
    }
    const resolved = await resolveField(name, field, texts, context);
    if (resolved.kind !== 'value') return resolved;
    input[name] = resolved.value;
  }
  return { kind: 'read', input };
}

/** Resolves one field of an operation. */
export async function resolveField(
  name: string,
  field: Field,
  texts: readonly string[],
  context: OperationContext,
): Promise<{ kind: 'value'; value: Value } | FieldProblem> {
  if (texts.length > textsAtMost)
    return { field: name, ...invalid(say`You named ${texts.length}, and ${textsAtMost} at once is the limit.`) };
  const resolved = await kindOf(field).resolve(texts, field, context);
  if (resolved.kind === 'value') return resolved;
  if (resolved.kind === 'unclear') return { field: name, ...resolved };
  const { isUnknown, isExplained, ...problem } = resolved;
  if (!isUnknown || !field.clause) return { field: name, ...problem };
  const { words, example } = field.clause;
  const [usual = ''] = words;
  const typed = texts.join(', ');
  const hasWord =
    words.some((word) => typed.toLowerCase().startsWith(`${word} `)) ||
    meaningAmong(tokenize(typed), 0, words) !== undefined;
  return {
    field: name,
    ...problem,
    clause: {
      typed,
      word: hasWord ? undefined : usual,
      example,
      ...(isExplained && { isExplained }),
    },
  };
}

/** The same lists, in which a name that fits nothing has no nearest names. Finding those takes most of the time. */
export function withoutSuggestions(directory: Directory): Directory {
  return {
    ...directory,
    quizzes: listWithout(directory.quizzes),
    users: listWithout(directory.users),
    groups: listWithout(directory.groups),
  };
}

function listWithout<Item extends object>(list: NamedList<Item>): NamedList<Item> {
  return {
    ...list,
    async names(call) {
      const index = await list.names(call);
      return { ...index, match: (text, options) => index.match(text, { ...options, suggests: false }) };
    },
  };
}

/** What an input that was stored by IDs means now. `hidden`: the account has it, and the person may not see it. */
export type StoredInput =
  | { kind: 'read'; input: OperationInput }
  | { kind: 'hidden'; input: OperationInput; field?: string }
  | { kind: 'gone'; gone?: Target; field?: string }
  /** `message`: a sentence of `domain/said.ts`. */
  | { kind: 'invalid'; message: string; field: string };

/** Resolves an input that was stored by IDs, as the person may choose it now. */
export async function resolveStored(
  operation: Operation,
  input: TextInput,
  person: OperationContext,
): Promise<StoredInput> {
  const resolver = { ...person, directory: withoutSuggestions(person.directory) };
  const resolved = await resolveInput(operation, input, resolver);
  if (resolved.kind === 'read') return resolved;
  const hidden = await resolveInput(operation, input, { ...resolver, visibility: everything });
  const where = 'field' in resolved && { field: resolved.field };
  if (hidden.kind === 'read') return { ...hidden, kind: 'hidden', ...where };
  return resolved.kind === 'invalid' ? resolved : { kind: 'gone', ...where };
}

/** What an input means once the service was asked for all that it names, as the person may choose it then. */
export async function meaningNow(
  operation: Operation,
  input: OperationInput,
  person: OperationContext,
): Promise<StoredInput> {
  const now = await refetch(operation, input, person);
  return 'gone' in now ? { kind: 'gone', ...now } : resolveStored(operation, idsOf(operation, now.input), person);
}

/** Why a change of what is hidden or gone is not made. @param name what the person calls the user whom it is about */
export function whyNotFound(found: Exclude<StoredInput, { kind: 'read' }>, operation: Operation, name: string): string {
  if (found.kind === 'invalid') return found.message;
  const kind = operation.fields[found.field ?? '']?.kind;
  if (kind === 'quiz' || kind === 'group') {
    const thing = 'input' in found && targetsOf(operation, found.input).find((target) => target.kind === kind);
    if (!thing)
      return kind === 'quiz'
        ? say`The quiz isn’t there any more, or you can’t see it.`
        : say`The group isn’t there any more, or you can’t see it.`;
    return kind === 'quiz'
      ? say`No quiz is called ${named(thing.name)} that you can see.`
      : say`No group is called ${named(thing.name)} that you can see.`;
  }
  return found.kind === 'gone' ? say`${named(name)} is no longer in the quiz account.` : say`You don’t manage them.`;
}

const digestLength = 16;

/**
 * A digest of the users that an operation changes: type, rights, suspension and addresses. An approval is for users as they
 * were shown. It names nobody, so it can be stored.
 */
export function digestOfUsers(operation: Operation, input: OperationInput): string | undefined {
  const users = targetsOf(operation, input).filter(({ kind }) => kind === 'user');
  if (users.length === 0) return undefined;
  const facts = users.map(({ id, facts: { Name: _name, ...others } }) => [id, others]);
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, digestLength);
}
