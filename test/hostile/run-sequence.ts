import { setTimeout as delay } from 'node:timers/promises';
import { judge, type Deed, type Violation } from './judge.ts';
import { leaksIn } from './leaks.ts';
import { payloadOf, readWish, type Payload } from './payloads.ts';
import { approvalsChannel, type SeenText } from './slack.ts';
import type { Stage } from './stage.ts';
import { stepText, type Interruption, type Step } from './steps.ts';
import { makeTurn } from './turns.ts';
import { handleOfSlackId, idBehind, slackIdOf, type Cohort } from './cohort.ts';

export interface SequenceResult {
  violations: Violation[];
  /** The number of each outcome, by kind of step. */
  outcomes: Record<string, number>;
}

/** Most answers take milliseconds. A forged delivery has none. */
const answerMs = 2_500;
const silenceMs = 60;
/** For what goes on after an answer: the news of a request, for example. */
const settleMs = 40;

const requestInButton = /(?:withdraw|review)-request\\*"[^{}]{0,300}?(?:\{[^{}]*\}[^{}]{0,300}?)?value\\*":\s*\\*"([\w-]{8,})/;

/** Runs the steps of a sequence in its cohort, and judges what came of them. */
export async function runSequence(stage: Stage, cohort: Cohort, steps: readonly Step[], nextNumber: () => number): Promise<SequenceResult> {
  const { journal, service } = stage;
  const deeds = stage.deeds.get(cohort.number) ?? [];
  const from = journal.tick();
  const firstSight = stage.seenTexts.length;
  const outcomes: Record<string, number> = {};
  const sent = new Map<number, { payload: Payload; number: number; deed: Deed }>();
  const requests: string[] = [];
  const isOfCohort = ({ reader }: SeenText) => reader === approvalsChannel || handleOfSlackId(reader)?.cohort === cohort.number;

  const count = (outcome: string) => (outcomes[outcome] = (outcomes[outcome] ?? 0) + 1);
  const act = async (what: Interruption['act']) => (what === 'kill' ? stage.restart() : makeTurn(what, { cohort, journal, database: service.database }));

  async function deliver(payload: Payload, number: number, deed: Deed): Promise<string> {
    const answer = stage.slack.answerTo(number);
    const restartsBefore = journal.restarts.length;
    const acknowledged = await stage.deliver(payload.kind, payload.body);
    let text = acknowledged?.body ?? '';
    if (text.startsWith('{') || text.startsWith('[')) stage.seenTexts.push({ reader: deed.personId, text, isView: true, step: number });
    const isLate = text === '' || text.includes('⏳');
    const hasAnswer = payload.kind !== 'event' && payload.kind !== 'block_suggestion' && !(payload.kind === 'view_submission' && !isLate);
    if (hasAnswer && isLate) {
      const stop = new AbortController();
      const wait = acknowledged !== undefined && deed.isOurs ? answerMs : silenceMs;
      const killed = (async () => {
        while (!stop.signal.aborted && journal.restarts.length === restartsBefore) await delay(20, undefined, { signal: stop.signal }).catch(() => {});
        await delay(silenceMs, undefined, { signal: stop.signal }).catch(() => {});
      })();
      const give = Promise.race([delay(wait, '', { signal: stop.signal }), killed.then(() => '')]);
      text = (await Promise.race([answer, give])) || text;
      // What a modal waits for follows.
      if (text.includes('⏳')) text = (await Promise.race([stage.slack.answerTo(number), give])) || text;
      stop.abort();
    }
    if (text !== '' && !text.includes('⏳')) deed.end = journal.tick();
    return text;
  }

  async function run(step: Step, index: number): Promise<void> {
    if (step.do === 'kill') return stage.restart();
    if (step.do === 'turn') return act(step.turn);
    const who = step.do === 'repeat' ? (step.who ?? '') : step.who;
    const earlier = step.do === 'repeat' ? sent.get(step.step) : undefined;
    if (step.do === 'repeat' && earlier === undefined) return;
    const personId = who === '' && earlier ? earlier.deed.personId : slackIdOf(cohort.number, who);
    const number = earlier?.number ?? nextNumber();
    const begin = journal.tick();
    const deed: Deed = { begin, end: Infinity, personId, kind: 'do', isOurs: true };
    let payload: Payload;
    if (step.do === 'repeat') {
      if (earlier === undefined) return;
      payload = { kind: earlier.payload.kind, body: asPerson(earlier.payload.body, earlier.deed.personId, personId) };
      stage.typed.set(personId, `${stage.typed.get(personId) ?? ''} ${JSON.stringify(payload.body)}`.toLowerCase());
      Object.assign(deed, { ...earlier.deed, begin, end: Infinity, personId });
      if (deed.kind === 'do') delete deed.requestId;
    } else {
      const requestId = 'request' in step ? (step.request === -2 ? 'no-such-request' : (requests.at(-1 - step.request) ?? 'none')) : '';
      payload = payloadOf(step, { cohort, state: journal.state(cohort.number), slackUrl: stage.slack.url, number, personId }, requestId);
      Object.assign(deed, deedOf(step, cohort, requestId));
      if ('operation' in step && step.do !== 'picker' && step.do !== 'shortcut') {
        const { texts, intent } = readWish(step, { cohort, state: journal.state(cohort.number) });
        stage.typed.set(personId, `${stage.typed.get(personId) ?? ''} ${JSON.stringify(texts)}`.toLowerCase());
        if (step.do !== 'open form') deed.intent = intent;
      }
    }
    deeds.push(deed);
    sent.set(index, { payload, number, deed });
    const cancel = 'interruption' in step && step.interruption ? stage.after(step.interruption.after, async () => act(step.interruption?.act ?? 'kill')) : undefined;
    const isDoubled = 'isDoubled' in step && step.isDoubled === true;
    const twin: Deed | undefined = isDoubled ? { ...deed } : undefined;
    if (twin) deeds.push(twin);
    const [text] = await Promise.all([deliver(payload, number, deed), twin && stage.deliver(payload.kind, payload.body)]);
    cancel?.();
    await stage.up();
    const request = requestInButton.exec(text)?.[1];
    if (request !== undefined && deed.kind === 'do') {
      if (text.includes('withdraw-request')) deed.requestId = request;
      if (text.includes('withdraw-request') && twin) twin.requestId = request;
      if (!requests.includes(request) && text.includes('withdraw-request')) requests.push(request);
    }
    count(`${step.do}: ${kindOfAnswer(text)}`);
  }

  for (const [index, step] of steps.entries()) {
    try {
      await run(step, index);
    } catch (error) {
      throw new Error(`step ${index}, ${stepText(step)}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
  await delay(settleMs);
  await stage.up();
  const seenTexts = stage.seenTexts.slice(firstSight).filter(isOfCohort);
  nameLostRequests(deeds, seenTexts);
  const violations = [...judge(journal, cohort.number, deeds, from), ...leaksIn(stage, cohort, seenTexts.filter(({ reader }) => reader !== approvalsChannel))];
  return { violations, outcomes };
}

function deedOf(step: Exclude<Step, { do: 'repeat' | 'turn' | 'kill' }>, cohort: Cohort, requestId: string): Partial<Deed> {
  const envelope = step.envelope ?? 'own';
  const isOurs = envelope !== 'foreign team' && envelope !== 'foreign enterprise';
  switch (step.do) {
    case 'review':
      return { isOurs, kind: 'review', requestId };
    case 'decide':
      return { isOurs, kind: 'decide', requestId: step.metadata ?? requestId, isApproval: step.verdict === 'approved' };
    case 'password':
      return { isOurs, kind: 'password', intent: { operation: 'show-password', user: idBehind(cohort.users, step.user) } };
    default:
      return { isOurs };
  }
}

/** A request whose answer a kill swallowed: its message in the channel says who asked, and for what. */
function nameLostRequests(deeds: readonly Deed[], seenTexts: readonly SeenText[]): void {
  for (const { reader, text } of seenTexts) {
    if (reader !== approvalsChannel) continue;
    const [, request] = /request_id\\*":\s*\\*"([\w-]+)/.exec(text) ?? [];
    if (request === undefined || deeds.some(({ kind, requestId }) => kind === 'do' && requestId === request)) continue;
    for (const deed of deeds) {
      const { kind, intent, requestId, personId } = deed;
      if (kind !== 'do' || intent === undefined || requestId !== undefined) continue;
      if (text.includes(`<@${personId}>`) && text.includes(intent.operation.replaceAll('-', ' '))) deed.requestId = request;
    }
  }
}

/** The payload as if another person had sent it. */
function asPerson(body: Record<string, unknown>, from: string, to: string): Record<string, unknown> {
  return JSON.parse(JSON.stringify(body).replaceAll(from, to)) as Record<string, unknown>;
}

function kindOfAnswer(text: string): string {
  if (text === '') return 'no answer';
  if (text.includes('another workspace')) return 'foreign';
  if (text.includes('withdraw-request')) return 'asked';
  if (text.includes('🚫')) return 'refused';
  if (text.includes('⚠️') || text.includes('"errors"')) return 'invalid';
  if (text.includes('⏳')) return 'waiting';
  if (text.includes('"options"')) return 'options';
  if (text.includes('Approved*')) return 'approved';
  return 'answered';
}
