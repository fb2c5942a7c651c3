import { inject, onTestFinished } from 'vitest';
import { createSandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { inTheAccount } from './many-changes.ts';
import { openProcessTestBed } from './process-test-bed.ts';
import { actionIdOf, fileSentTo, locationOf } from './results.ts';
import { textOf } from './test-bed.ts';

/** Over Redis, the request budget goes by the real time, however many days are skipped. */
const shownWithinMs = 90_000;

/**
 * A bot on an empty record of attempts, whose days are skipped.
 * @param beginsAt in milliseconds since the epoch
 */
export async function openSkippedCampaigns(store: string, beginsAt: number) {
  const clock = createSandboxClock(beginsAt - Date.now());
  const testBed = await openProcessTestBed({
    store: store === 'Redis' ? 'redis' : 'sqlite',
    account: inject('account') ?? 'smooth',
    clock,
    env: { ALERTS_CHANNEL: '' },
  });
  onTestFinished(() => testBed.close());
  const { workspace } = testBed;
  testBed.quizService.database.run('DELETE FROM responses');
  type Message = ReturnType<typeof workspace.ephemerals>[number];
  const reply = async (personId: string, line: string) => (await workspace.as(personId).command(line)).reply();
  /** Says what there was where the words did not come. */
  const findIn = async (messages: () => readonly Message[], words: string | RegExp): Promise<Message> =>
    workspace
      .until(() => messages().findLast((message) => includes(textOf(message), words)), shownWithinMs)
      .catch(() => {
        throw new Error(`no “${String(words)}” in\n${messages().map(textOf).join('\n---\n')}`);
      });
  return {
    clock,
    workspace,
    account: inTheAccount(testBed),
    reply,
    /** Previews and starts a campaign. @returns what the person reads then */
    async start(personId: string, line: string) {
      const shown = await reply(personId, `/quiz-campaign start ${line}`);
      await workspace.as(personId).click(locationOf(shown), 'choose:start');
      return textOf(
        await workspace.until(() =>
          workspace.ephemerals(personId).find(({ ts, text }) => ts === shown.ts && text.includes('Started a campaign')),
        ),
      );
    },
    /** Presses a button of a message. */
    press: (personId: string, message: Awaited<ReturnType<typeof reply>>, label: string) =>
      workspace.as(personId).click(locationOf(message), actionIdOf(message, label)),
    directMessage: (personId: string, words: string | RegExp) =>
      findIn(() => workspace.directMessages(personId), words),
    /** The first lines of what the bot wrote to a person. */
    written: (personId: string) =>
      workspace.directMessages(personId).map((message) => textOf(message).split('\n')[0] ?? ''),
    /** What the person alone reads, such as the answer to a press. */
    answer: (personId: string, words: string | RegExp) => findIn(() => workspace.ephemerals(personId), words),
    /** The rows of the report, by name: what they have under each title. */
    async report(personId: string, campaign: string) {
      await workspace.as(personId).command(`/quiz-campaign report ${campaign}`);
      const { text } = await fileSentTo(testBed, personId);
      const [header = [], ...rows] = text
        .replace('\uFEFF', '')
        .trim()
        .split('\r\n')
        .map((line) => line.split(','));
      return new Map(
        rows.map((row) => [row[0] ?? '', Object.fromEntries(header.map((title, index) => [title, row[index] ?? '']))]),
      );
    },
  };
}

function includes(text: string, words: string | RegExp): boolean {
  return typeof words === 'string' ? text.includes(words) : words.test(text);
}
