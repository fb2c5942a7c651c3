import { askSlack } from './slack/trial/ask-slack.ts';
import { secretsOf, version, type Config } from './config.ts';
import { createRenameSentence } from './domain/own-names.ts';
import type { TrialAnswer } from './domain/trial.ts';
import { tryWebhook } from './features/alerts/try-webhook.ts';
import { askService } from './quiz-api/trial/ask-service.ts';
import { systemClock } from './time/clock.ts';

/** What `npm run doctor -- --try` is run with. */
export interface TrialOptions {
  config: Config;
  /** As the operator typed it. */
  channel: string;
  /** A recorded webhook. */
  sample: string | undefined;
  signal: AbortSignal;
  /** Says what goes on. */
  tell: (line: string) => void;
}

export interface TrialReport {
  /** For the operator to pass on; or one sentence that says what to do. */
  text: string;
  isComplete: boolean;
}

const marks = { expected: '✓', other: '✗', open: '–' };

/** Asks the real Slack and the real service, and writes the report. */
export async function tryReal({ config, channel, sample, signal, tell }: TrialOptions): Promise<TrialReport> {
  const { slack, names, owners, quizApi, webhook } = config;
  const { now, sleep } = systemClock;
  const trial = await askSlack({ ...slack, names, owners }, channel, { signal, clock: { now, sleep }, tell });
  if ('problem' in trial) return { text: `${createRenameSentence(names)(trial.problem)}\n`, isComplete: false };
  const left = leftBehind(trial.left);
  if (signal.aborted) return { text: `Stopped. ${left}\n`, isComplete: false };
  const service = await askService({ ...quizApi, userAgent: `invigilator/${version}` }, { signal, now, tell });
  const rule = { ...webhook, timeZone: quizApi.timeZone };
  const webhooks: TrialAnswer[] =
    sample === undefined
      ? [
          {
            question: 'How webhooks are signed',
            state: 'open',
            found: ['Not tried: give the doctor one that you recorded, with --webhook sample.txt.'],
            relies: 'WEBHOOK_SCHEME and the headers: src/features/alerts/signature.ts.',
          },
        ]
      : tryWebhook(rule, sample, now(), service.isName);
  const all = [...trial.answers, ...service.answers, ...webhooks];
  const text = [
    '# What the real Slack and the real quiz service do',
    `Invigilator ${version}, Node ${process.versions.node}, ${slack.appToken === undefined ? 'HTTP' : 'Socket Mode'}, ${new Date(now()).toISOString().slice(0, 10)}. ✓ is as the bot relies on it, ✗ is not, – was not tried or does not tell. This report has no secrets, and no names, addresses or IDs of people.`,
    summary(all),
    '## Slack',
    ...trial.answers.map(section),
    left,
    '## Quiz service',
    `The doctor read ${service.requests} answers and changed nothing.`,
    ...service.answers.map(section),
    '## Webhooks',
    ...webhooks.map(section),
  ].join('\n\n');
  return { text: `${withoutPrivate(text, secretsOf(config))}\n`, isComplete: true };
}

function section({ question, state, found, relies }: TrialAnswer): string {
  const lines = found.length === 1 ? found[0] : found.map((line) => `- ${line}`).join('\n');
  return `### ${marks[state]} ${question}\n\n${lines}\n\n_In the bot:_ ${relies}`;
}

function summary(answers: readonly TrialAnswer[]): string {
  const count = (state: TrialAnswer['state']) => answers.filter((answer) => answer.state === state).length;
  return `**${count('expected')} ✓, ${count('other')} ✗, ${count('open')} –**`;
}

function leftBehind(count: number): string {
  return count === 0
    ? 'The doctor deleted every message that it posted.'
    : `${count === 1 ? 'One message' : `${count} messages`} of the doctor could not be deleted. Delete what is left by hand.`;
}

const shortestSecret = 8;

/** The answers hold nothing private by themselves: this is for what nobody thought of. */
function withoutPrivate(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= shortestSecret)
    .reduce((safe, secret) => safe.replaceAll(secret, '…'), text)
    .replaceAll(/[^\s@"“(]+@[\w-]+(?:\.[\w-]+)+/g, '…')
    .replaceAll(/\b[UWDT][A-Z0-9]{8,}\b/g, '…')
    .replaceAll(/\b(?:\d{1,3}\.){3}\d{1,3}\b/g, '…');
}
