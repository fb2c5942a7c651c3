import { cohortOfSlackId, type Cohort, channelPrefixOf, idPartOf, markOf, personPrefixOf, takerOf } from './cohort.ts';
import { deliver } from './deliver.ts';
import type { Deed, Violation } from './judge.ts';
import type { Sent } from './sending.ts';
import type { SeenText } from './slack.ts';
import type { Stage } from './stage.ts';
import { strangersIn } from './leaks.ts';

/**
 * The same delivery with what does not exist in place of what the other tenant has, or with a secret of nobody in place of the other’s;
 * undefined where the delivery has nothing of it.
 */
export function ghostlyTwin({ payload, number, deed, captured }: Sent, other: Cohort): Sent | undefined {
  const body = JSON.stringify(payload.body);
  const ghostly = withGhosts(body, other.number, captured);
  const isShut = takerOf(payload.address) === undefined;
  if (ghostly === body && !isShut) return undefined;
  return {
    payload: {
      ...payload,
      body: JSON.parse(ghostly) as Record<string, unknown>,
      address: isShut ? { ...payload.address, signer: undefined } : payload.address,
    },
    number,
    deed: { ...deed, end: Infinity },
    captured,
  };
}

/**
 * Delivers the twin of a step, and compares what the person reads: of what only another tenant has, the bot says what it says
 * of what does not exist.
 *
 * @param twin made after the step was answered, with a number of its own
 */
export async function compareWithTwin(
  stage: Stage,
  twin: Sent,
  { cohort, text, deed, captured }: { cohort: Cohort; text: string; deed: Deed; captured: readonly string[] },
): Promise<Violation[]> {
  const kills = stage.journal.kills.length;
  const said = await deliver(stage, twin.payload, {
    place: stage.placeOf(cohort),
    number: twin.number,
    deed: twin.deed,
    isHeldUp: false,
  });
  await stage.up();
  const areAnswered =
    [deed.status, twin.deed.status].every((status) => status !== undefined && status !== cameTooLate) &&
    kills === stage.journal.kills.length;
  if (!areAnswered || [text, said].some((answer) => isOfHaste(answer)) || (text === '') !== (said === '')) return [];
  const [ofOther, ofNothing] = [text, said].map((answer) => withGhosts(answer, cohort.other?.number ?? -1, captured));
  const isSame = deed.status === twin.deed.status && sayTheSame(ofOther ?? '', ofNothing ?? '');
  if (isSame) return [];
  return [
    {
      rule: 'tenant',
      message: `what the other tenant has is answered otherwise than what does not exist: ${deed.status} ${ofOther?.slice(0, 1_000)}\n    instead of ${twin.deed.status} ${ofNothing?.slice(0, 1_000)}`,
    },
  ];
}

/** Its body did not arrive in time, on a machine that is too busy. */
const cameTooLate = 408;

/** Whether an answer comes from a machine that is too busy: the bot waits, or what it needs was not to be had in time. */
const isOfHaste = (answer: string) => answer.includes('⏳') || answer.includes('Try again in a minute.');

/** What people and channels of a cohort read of the other tenant, and answers that came to the workspace of the other. */
export function strayTexts(
  stage: Stage,
  { tenant, number }: Cohort,
  { seenTexts, numbers }: { seenTexts: readonly SeenText[]; numbers: ReadonlySet<number> },
): Violation[] {
  return seenTexts.flatMap((seen) => [
    ...(cohortOfSlackId(seen.reader) === number ? strangersIn(stage, seen) : []),
    ...(seen.tenant !== tenant && seen.step !== undefined && numbers.has(seen.step)
      ? [
          {
            rule: 'tenant' as const,
            message: `${tenant.name} answers ${seen.reader} of ${seen.tenant.name}: ${seen.text.slice(0, 200)}`,
          },
        ]
      : []),
  ]);
}

/**
 * A number that no cohort has. Of the number of another tenant’s cohort, it differs in the last digit, as the others of a tenant do: a
 * name resembles as many others with it.
 */
const nobodys = (number: number): number => number - (number % 10) + 9;

const alphabets = ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** An ID or token of the same form, which was never given. */
const neverGiven = (id: string): string => id.slice(0, -12) + id.slice(-12).replaceAll(/\w/g, turned);

/** Another character of the same kind. */
function turned(character: string): string {
  const alphabet = alphabets.find((some) => some.includes(character));
  if (alphabet === undefined) return character;
  return alphabet[(alphabet.indexOf(character) + alphabet.length / 2) % alphabet.length] ?? character;
}

/**
 * Replaces what is a cohort’s by what does not exist and looks the same.
 *
 * @param captured other IDs and tokens
 */
function withGhosts(text: string, number: number, captured: readonly string[]): string {
  const of = [personPrefixOf, channelPrefixOf, idPartOf, markOf];
  let ghostly = text;
  for (const part of of) ghostly = ghostly.replaceAll(part(number), part(nobodys(number)));
  for (const id of captured) ghostly = ghostly.replaceAll(id, neverGiven(id));
  return ghostly;
}

/** What an answer says, and how it comes. */
interface Said {
  /** Sentences and labels, each once, without numbers and IDs. */
  texts: ReadonlySet<string>;
  isForm: boolean;
}

/** Labels of a modal: another answer has no place for them. */
const labels = new Set(['title', 'close', 'submit', 'placeholder']);
const changing = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{8}\b|\d+/g;
/** An error of a field has none. */
const icon = /^[^\p{L}“]+/u;
/** The error of a field has quotation marks where a message has bold letters. */
const marks = /[“”*`]/g;
const suggesting = /Did you mean|See all/;
/** Which of them is said depends on what of the person’s own is nearly called so. */
const namesNothing = /^(?:No \p{L}+ is called|I don’t know what .* means here)/u;

/**
 * Whether two answers say the same to a person. In which way it comes depends on how busy the bot is: as an error of a form, or in
 * a form that is opened again with the error in it; in a modal, or below the command.
 */
function sayTheSame(one: string, other: string): boolean {
  const [a, b] = [saidIn(one), saidIn(other)];
  const [less, more] = a.texts.size <= b.texts.size ? [a, b] : [b, a];
  const isSame = less.texts.size === more.texts.size || (more.isForm && !less.isForm && less.texts.size > 0);
  return isSame && less.texts.isSubsetOf(more.texts);
}

function saidIn(answer: string): Said {
  const found = textsIn(parsed(answer), '').map((text) =>
    text.replace(icon, '').replaceAll(marks, '').replaceAll(changing, '#'),
  );
  // What is nearly called as what was typed differs with every letter.
  const suggestion = found.find((text) => suggesting.test(text));
  const texts = suggestion === undefined ? found : [suggestion.split(suggesting)[0]!];
  const isNothing = found.some((text) => namesNothing.test(text));
  return { texts: new Set(isNothing ? ['it names nothing'] : texts), isForm: answer.includes('modal') };
}

function textsIn(value: unknown, key: string): string[] {
  if (labels.has(key)) return [];
  if (typeof value === 'string') {
    const inner = parsed(value);
    if (inner !== value) return textsIn(inner, key);
    return key === 'text' || key === 'error' ? [value] : [];
  }
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => textsIn(item, key === 'errors' ? 'error' : name));
}

/** The value of a text that is JSON; another text as it is. */
function parsed(text: string): unknown {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
