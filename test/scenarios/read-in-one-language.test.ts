import { expect, test } from 'vitest';
import { isWorded } from '../../src/domain/said.ts';
import type { Message, View } from '../../src/sandbox/workspace/model.ts';
import { botUserId, channels, people } from '../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { writeTexts } from '../../src/slack/connection/outgoing.ts';
import { approvalActions } from '../support/approvals.ts';
import { inTheAccount } from '../support/many-changes.ts';
import { locationOf, safetyQuiz } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';
import { collectSentences } from '../words/catalogue/collect-sentences.ts';

const { ada, ravi, tom } = people;
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** A Monday, 8:00 in the zone of most sample people. */
const monday = Date.UTC(2030, 0, 7, 8);
/** Longer than any test. */
const watchedAtMostMs = 30 * 60_000;

type Bed = Awaited<ReturnType<typeof openSkippedCampaigns>>;

/**
 * Notes every text of the bot that a person alone reads, from now on: direct messages, answers that only they see, forms and Home.
 *
 * @returns the texts so far
 */
function watchTexts(workspace: Workspace, personId: string): () => ReadonlySet<string> {
  const [texts, known] = [new Set<string>(), new Set<string>()];
  const note = (shown: Message | View): void => {
    const content = JSON.stringify(shown);
    if (known.has(content)) return;
    known.add(content);
    writeTexts(shown, (text) => {
      texts.add(text);
      return text;
    });
  };
  const look = (): false => {
    const home = workspace.home(personId);
    const messages = [...workspace.directMessages(personId), ...workspace.ephemerals(personId)];
    for (const message of messages) if (message.user === botUserId) note(message);
    for (const view of [...workspace.views(personId), ...(home ? [home] : [])]) note(view);
    return false;
  };
  void workspace.until(look, watchedAtMostMs).catch(() => undefined);
  return () => texts;
}

/** With fewer letters, words are the same in other languages, such as names of commands. */
const lettersAtLeast = 15;
const wordsAtLeast = 3;

/** Words that neither German nor Polish has, nor a name of the sample account. They find what is shorter than a sentence. */
const englishWord = /(?<![\p{L}/-])(?:the|of|and|your|you|points|with|from|have|been|this|that)(?!\p{L})/u;

/** The sentences of the bot that texts have in English, and the texts that have English words. */
function englishIn(texts: Iterable<string>): string[] {
  const all = [...texts].map(withoutCode);
  const parts = new Set(collectSentences().flatMap(({ key }) => literalParts(key)));
  return [
    ...[...parts].filter((part) => all.some((text) => text.includes(part))),
    ...all.filter((text) => englishWord.test(text)),
  ];
}

/** What stands between the parts of a sentence, where it is long enough to tell its language. */
function literalParts(key: string): string[] {
  return withoutCode(key)
    .split(/\{\d+\}|#| ¦ /)
    .map((part) => part.trim())
    .filter(
      (part) =>
        isWorded(part) &&
        part.replaceAll(/\P{L}/gu, '').length >= lettersAtLeast &&
        (part.match(/\p{L}+/gu) ?? []).length >= wordsAtLeast,
    );
}

/** Commands are English in every language. */
const withoutCode = (text: string): string => text.replaceAll(/`[^`]*`/g, '{0}');

/** Sets the language of a person’s Slack, and waits until their Home is in it. */
async function speak({ workspace }: Bed, personId: string, locale: string, language: string): Promise<void> {
  await workspace.setLocale(personId, locale);
  await expect
    .poll(async () => {
      await workspace.as(personId).openHome();
      return textOf(workspace.home(personId));
    })
    .toContain(`(${language})`);
}

/** Presses the button of an operation, whatever its label is. */
async function press({ workspace }: Bed, personId: string, message: Message, operation: string): Promise<void> {
  const [, action] =
    new RegExp(`"action_id":"(\\w+:${operation}(?:-\\d+)?)"`).exec(JSON.stringify(message.blocks)) ?? [];
  if (action === undefined) throw new Error(`no button of ${operation} in ${JSON.stringify(message.blocks)}`);
  await workspace.as(personId).click(locationOf(message), action);
}

/** The newest direct message of the bot, once there are so many. */
const newest = async ({ workspace }: Bed, personId: string, count: number): Promise<Message> =>
  workspace.until(() => workspace.directMessages(personId)[count - 1]);

test('a respondent’s year is in Polish from the first notice to the renewal', async () => {
  const bed = await openSkippedCampaigns('SQLite', monday);
  const { clock, workspace, account, start } = bed;
  await speak(bed, ravi.id, 'pl-PL', 'Polski');
  const [seen, seenByTrainer] = [watchTexts(workspace, ravi.id), watchTexts(workspace, ada.id)];
  await start(ada.id, `"${safetyQuiz}" for @ravi within 2d remind 1d overdue 1d valid 12 months renew 7d`);
  await clock.skip(hourMs);
  const asked = await newest(bed, ravi.id, 1);
  await press(bed, ravi.id, asked, 'not-me');
  const isAnswered = async () => newest(bed, ravi.id, 1).then(textOf);
  await expect.poll(isAnswered).toContain('nie jest dla Ciebie');
  await press(bed, ravi.id, await newest(bed, ravi.id, 1), 'for-me');
  await expect.poll(isAnswered).toContain('znów jest dla Ciebie');
  await clock.skip(4 * dayMs);
  await bed.directMessage(ravi.id, 'Przypomnienie od');
  await bed.directMessage(ravi.id, /Termin quizu .* minął/);
  account.pass('ravi', safetyQuiz, clock.now());
  for (const line of ['/quiz mine', '/quiz today', '/quiz-campaign list']) await bed.reply(ravi.id, line);
  await workspace.as(ravi.id).openHome();

  await bed.skipStopped(Date.UTC(2031, 0, 6, 8) - clock.now());
  await speak(bed, ravi.id, 'pl-PL', 'Polski');
  await clock.skip(dayMs);
  await bed.directMessage(ravi.id, 'Czas odnowić quiz');
  await workspace.as(ravi.id).openHome();
  expect(englishIn(seenByTrainer())).not.toEqual([]);
  expect(englishIn(seen())).toEqual([]);
});

test('a trainer’s day is in German from the list of quizzes to a decision in English', async () => {
  const bed = await openSkippedCampaigns('SQLite', monday, {
    env: { APPROVALS_CHANNEL: channels.leads.id },
    beforeStart: async (_, started) => inTheAccount(started).forgetAttempts(),
  });
  const { workspace, reply, posted } = bed;
  const { ask, approve } = approvalActions(bed.testBed);
  await speak(bed, tom.id, 'de-DE', 'Deutsch');
  const [seen, seenByAdministrator] = [watchTexts(workspace, tom.id), watchTexts(workspace, ada.id)];
  await reply(tom.id, '/quiz list');
  const names = ['Ravi Banerjee', 'Rosa Almeida', 'Maya Goldberg', 'Katarzyna Nowak', 'Hana Kobayashi'];
  for (const audience of [names.slice(0, 1), names.slice(0, 3), names])
    await reply(
      tom.id,
      `/quiz-campaign start "${safetyQuiz}" für ${audience.join(', ')} fällig nächsten Freitag Übersicht #training`,
    );
  const preview = workspace.ephemerals(tom.id).at(-1)!;
  expect(textOf(preview)).toMatch(/mit \*5 Personen.*Fr\., 18\. Jan\./s);
  await press(bed, tom.id, preview, 'run-campaign');
  await bed.answer(tom.id, /läuft jetzt, mit \*?5 Personen/);
  await press(bed, tom.id, await posted(channels.training.id, 'Campaign for'), 'show-campaign');
  await workspace.until(() => workspace.views(tom.id).find((view) => textOf(view).includes('von 5 Personen')));
  const lines = [
    '/quiz-campaign change workplace overdue 2 Tage',
    '/quiz results "Food hygiene, level 2" nur nicht bestanden',
    '/quiz-admin audit',
  ];
  for (const line of lines) await reply(tom.id, line);

  await approve(ada.id, await ask(tom.id, '/quiz-user suspend rosa almeida --reason "She has left"'));
  await bed.directMessage(tom.id, /hat genehmigt: .*Rosa Almeida/);
  await reply(tom.id, `/quiz-alerts language de <#${channels.training.id}|training>`);
  await bed.answer(tom.id, 'Die Sprache ist geändert');
  // A board that stands takes the language with its next change.
  await reply(tom.id, '/quiz-campaign extend workplace bis Ende des Monats');
  await bed.answer(tom.id, /Neue Frist .*31\. Jan/);
  await posted(channels.training.id, `Kampagne für *${safetyQuiz}*`);
  expect(englishIn(seenByAdministrator())).not.toEqual([]);
  expect(englishIn(seen())).toEqual([]);
});
