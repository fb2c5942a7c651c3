import { setTimeout as delay } from 'node:timers/promises';
import type { Deed, Violation } from './judge.ts';
import { operations } from './operations.ts';
import { seesQuiz, standingOf, type Intent } from './rules.ts';
import type { SeenText } from './slack.ts';
import type { Row, State } from './state.ts';
import type { StoredRequest } from './place.ts';

const thingKinds = ['plan', 'batch', 'campaign'] as const;
type ThingKind = (typeof thingKinds)[number];

/** A plan, batch or campaign that a sequence made. */
export interface MadeThing {
  kind: ThingKind;
  id: string;
  /** The Slack id of its maker: the first person whom the bot shows it. */
  ownerId: string;
  /** The delivery that it answers; undefined for a message that comes by itself. */
  step: number | undefined;
}

const named = /(plan|batch|campaign)\\*":\s*\[\\*"([\w-]{8,})\\*"\]/g;
const waitMs = 25;
const waitsAtMost = 40;

/** The things in what people of a cohort read, the latest last. */
export function thingsIn(seenTexts: readonly SeenText[]): MadeThing[] {
  const things = new Map<string, MadeThing>();
  for (const { text, reader, step } of seenTexts) {
    for (const [, kind, id = ''] of text.matchAll(named))
      if (!things.has(id)) things.set(id, { kind: kind as ThingKind, id, ownerId: reader, step });
  }
  return [...things.values()];
}

/** The kind of thing that an operation is about; undefined for other operations. A campaign can also be named by its quiz. */
export function thingOf(operation: string): ThingKind | undefined {
  return thingKinds.find((kind) => kind in (operations[operation]?.fields ?? {}));
}

/**
 * The thing that a step is about.
 *
 * @param which.back how many of its kind came after it
 * @param which.isAwaited whether the first of its kind can still come: a batch shows itself after its start
 */
export async function latestThing(
  things: () => readonly MadeThing[],
  kind: ThingKind,
  { back, isAwaited }: { back: number; isAwaited: boolean },
): Promise<string | undefined> {
  for (let wait = 0; wait <= (isAwaited ? waitsAtMost : 0); wait += 1) {
    if (wait > 0) await delay(waitMs);
    const found = things().filter((thing) => thing.kind === kind);
    if (found.length > 0) return found.at(-1 - back)?.id;
  }
  return undefined;
}

/** What a person reads when an operation did what they asked for. */
const isGranted = (text: string) => /✅|📋|in your direct messages with the bot|"status":"done"/.test(text);

/**
 * Whether an answer lets a person do what only others may: a plan is its maker’s, also of administrators where they decide on
 * it; a batch is its owner’s and of administrators; a campaign is its owner’s and its lead’s, and of those who see its quiz.
 *
 * @param about.states of the cohort while the person acted
 * @param about.leads the quizzes of campaigns, with the user who leads each
 */
export function trespassIn(
  { personId, isOurs, intent }: Deed,
  text: string,
  {
    things,
    states,
    quizOf,
    leads,
  }: {
    things: readonly MadeThing[];
    states: readonly State[];
    quizOf: (campaignId: string) => string | undefined;
    leads: readonly Row[];
  },
): Violation[] {
  const kind = intent && thingOf(intent.operation);
  const id = kind && intent.values?.[kind]?.[0];
  const thing = things.find((made) => made.id === id && made.kind === kind);
  if (thing === undefined || intent === undefined || !isGranted(text) || (isOurs && thing.ownerId === personId))
    return [];
  const standings = states.map((state) => ({ state, standing: standingOf(state, personId) }));
  const quiz = quizOf(thing.id);
  const isAllowed =
    isOurs &&
    standings.some(({ state, standing }) =>
      thing.kind === 'campaign'
        ? standing.isStaff &&
          (quiz === undefined ||
            seesQuiz(state, standing, quiz) ||
            leads.some(({ quiz_id, user_id }) => quiz_id === quiz && user_id === standing.user?.user_id))
        : standing.isAdministrator && !(thing.kind === 'plan' && intent.operation.startsWith('run-')),
    );
  return isAllowed
    ? []
    : [
        {
          rule: 'policy',
          message: `${intent.operation} of ${thing.kind} ${thing.id} by ${personId}: ${text.slice(0, 200)}`,
        },
      ];
}

/** Requests whose answer a kill swallowed: the bot keeps who asked, and for what. */
export function nameLostRequests(deeds: readonly Deed[], requests: readonly StoredRequest[]): void {
  /** The plan of a step is shown to nobody. */
  const isOfShownPlan = ({ plan = [] }: StoredRequest['input']) =>
    deeds.some(({ plans }) => plans?.some((id) => plan.includes(id)));
  for (const { id, operation, input, requesterId } of requests) {
    if (deeds.some(({ kind, requestId }) => kind === 'do' && requestId === id)) continue;
    const stored = JSON.stringify(input);
    const isAbout = ({ isWithStart, intent }: Deed) =>
      isWithStart === true
        ? operation === 'run-campaign' && !isOfShownPlan(input)
        : intent?.operation === operation && isNamedIn(intent);
    const isNamedIn = ({ quiz, user, group, response, assignees = [], values }: Intent) =>
      [
        quiz,
        user,
        group,
        response,
        ...assignees,
        values?.['user_name']?.[0]?.trim(),
        values?.['name']?.[0],
        values?.['plan']?.[0],
      ].every((text) => text === undefined || stored.includes(text));
    for (const deed of deeds) {
      const { kind, requestId, personId } = deed;
      if (kind === 'do' && requestId === undefined && personId === requesterId && isAbout(deed)) deed.requestId = id;
    }
  }
}
