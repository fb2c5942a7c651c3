import { watchdogMs } from '../../src/sandbox/workspace/clock.ts';
import { eventBody, sign } from '../support/event.ts';
import { type TestBed, textOf } from '../support/open-test-bed.ts';

/** What people and services see during a fault. */
export interface Observation {
  command: string;
  form: string;
  webhook: string;
  alert: string;
  readyz: string;
}

/** The respondent's last name, unique among the channel's messages. */
const respondent = 'Faulted';

/**
 * Sends a webhook as the quiz service, runs a command and submits a form as Ada, and reads `/readyz`.
 *
 * @param timeoutMs after this time without a reply, the observation is `nothing`
 */
export async function observe(testBed: TestBed, timeoutMs = watchdogMs): Promise<Omit<Observation, 'alert'>> {
  const webhook = await sendWebhook(testBed);
  const command = await runCommand(testBed, '/quiz show forklift', timeoutMs);
  const form = await submitForm(testBed, timeoutMs);
  return { command, form, webhook, readyz: await readReadyz(testBed) };
}

export async function sendWebhook(
  { url }: Pick<TestBed, 'url'>,
  overrides: Record<string, unknown> = {},
): Promise<string> {
  const body = eventBody(
    { event_id: 'e-of-the-fault', ...overrides },
    { response_id: 'r-of-the-fault', last_name: respondent },
  );
  const timestamp = String(Math.floor(Date.now() / 1000));
  const headers = { 'x-webhook-signature': sign(`${timestamp}.${body}`), 'x-webhook-timestamp': timestamp };
  const answer = await fetch(`${url}/webhooks/quiz`, { method: 'POST', body, headers });
  return `${answer.status} ${(await answer.text()).trim()}`;
}

export async function readReadyz({ url }: Pick<TestBed, 'url'>): Promise<string> {
  const answer = await fetch(`${url}/readyz`);
  return `${answer.status} ${(await answer.text()).trim()}`;
}

/** @returns the text that Ada reads, from the bot or from Slack */
export async function runCommand(
  { workspace }: Pick<TestBed, 'workspace'>,
  text: string,
  timeoutMs = watchdogMs,
): Promise<string> {
  const outcome = await workspace
    .as(workspace.people.ada.id)
    .command(text, { channel: workspace.channels.training.id });
  if (outcome.error !== undefined) return `Slack: ${outcome.error}`;
  return orNothing(outcome.reply(timeoutMs).then(shownText));
}

export const createdQuizName = 'Quiz of the fault';

/** Opens the form that creates a quiz and submits it. @returns the text that Ada reads in the form, or instead of it */
async function submitForm({ workspace }: Pick<TestBed, 'workspace'>, timeoutMs: number): Promise<string> {
  const { ada } = workspace.people;
  const views = () => workspace.views(ada.id);
  const opening = await workspace.as(ada.id).command('/quiz create', { channel: workspace.channels.training.id });
  if (opening.error !== undefined) return `Slack: ${opening.error}`;
  const reply = opening.reply(timeoutMs).then(shownText, () => undefined);
  const isForm = () =>
    views()
      .at(-1)
      ?.blocks.some(({ type }) => type === 'input');
  const opened = await Promise.race([
    reply,
    orNothing(workspace.until(() => (isForm() ? 'a form' : finalText()), timeoutMs)),
  ]);
  if (opened !== 'a form') return opened ?? 'nothing';
  const submission = await workspace.as(ada.id).submit(views().at(-1)!, { name: createdQuizName });
  if (submission.failed !== undefined) return `in the form: ${submission.failed}`;
  if (submission.errors !== undefined) return `in the form: ${Object.values(submission.errors).join(' ')}`;
  return orNothing(workspace.until(finalText, timeoutMs));

  function finalText(): string | undefined {
    const text = views().map(shownText).at(-1);
    return text === undefined || text === '' || /moment|Working|⏳/i.test(text) ? undefined : text;
  }
}

function orNothing(text: Promise<string>): Promise<string> {
  return text.catch(() => 'nothing');
}

/** The text of a message or view, without its inputs. */
function shownText(shown: { text?: string; blocks?: unknown }): string {
  const blocks = ((shown.blocks ?? []) as { type?: string }[]).filter(({ type }) => type !== 'input');
  const texts = [...JSON.stringify(blocks).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)].map(
    ([, text]) => JSON.parse(`"${text}"`) as string,
  );
  return (texts.length > 0 ? texts.join(' ') : (shown.text ?? '')).trim();
}

/** Replaces everything that differs from run to run. */
export function normalize(text: string): string {
  return text
    .replaceAll(/reference [0-9a-f]{8}/g, 'reference …')
    .replaceAll(/\d+ (seconds|minutes)/g, 'some $1')
    .replaceAll(/<!date[^>]*>/g, 'a date')
    .replaceAll(/127\.0\.0\.1:\d+/g, '…')
    .replaceAll(/\s+/g, ' ');
}

/** How many messages in the channel name the respondent. */
export function countAlerts({ workspace }: Pick<TestBed, 'workspace'>): number {
  return workspace.messages(workspace.channels.results.id).filter((message) => textOf(message).includes(respondent))
    .length;
}
