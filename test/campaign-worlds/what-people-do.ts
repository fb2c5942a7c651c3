import type { Message } from '../../src/sandbox/workspace/model.ts';
import { locationOf } from '../support/results.ts';
import { personIdOf, quizToken } from './names.ts';
import { textOf, type World } from './world.ts';
import { parse } from 'csv-parse/sync';
import type { ReportRow } from './journal.ts';

/** What a person typed, and what they read. */
export async function typed(world: World, line: string, channel?: string): Promise<string> {
  const outcome = await world.clock.during(world.ada.command(line, ...(channel === undefined ? [] : [{ channel }])));
  // Where something is missing, a form opens.
  const answer = await world.clock.during(Promise.race([outcome.reply(), outcome.view()]));
  return 'text' in answer
    ? textOf(answer)
    : `a form: ${[...JSON.stringify(answer.blocks).matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text).join(' | ')}`;
}

/** Ends a campaign, also where the bot warns that people are missing. */
export async function endCampaign({ clock, ada, workspace }: World, name: string): Promise<string | undefined> {
  const outcome = await clock.during(ada.command(`/quiz-campaign end ${name}`));
  // What the campaign itself says of its end can come before the answer.
  const isAnswer = (message: Message) => /Ended/.test(message.text) || textOf(message).includes('choose:confirmed');
  const reply = await clock.during(
    workspace.until(() => outcome.replies.find(isAnswer)).catch(async () => outcome.reply()),
  );
  if (textOf(reply).includes('choose:confirmed')) await clock.during(ada.click(locationOf(reply), 'choose:confirmed'));
  else if (!/Ended/.test(reply.text)) return `“end” is answered with ${textOf(reply).slice(0, 300)}`;
  await clock.until(clock.now() + 5_000);
  return undefined;
}

/** A person answers the last message about a campaign with a button. */
export async function answerNotice(
  { workspace, clock, journal }: World,
  { campaign, who, action }: { campaign: number; who: number; action: string },
): Promise<undefined> {
  const message = workspace
    .directMessages(personIdOf(who))
    .findLast((one) => textOf(one).includes(quizToken(campaign)) && textOf(one).includes(action));
  // In a message with several quizzes, each has a button of its own.
  if (message === undefined || JSON.stringify(message.blocks).split(`"${action}"`).length !== 2) return undefined;
  await clock.during(workspace.as(personIdOf(who)).click(locationOf(message), action));
  await clock.until(clock.now() + 2_000);
  const isTaken = !JSON.stringify(
    workspace.directMessages(personIdOf(who)).find(({ ts }) => ts === message.ts)?.blocks,
  ).includes(`"${action}"`);
  if (isTaken)
    journal.note({
      kind: action === 'button:snooze-reminders' ? 'snoozed' : 'not me',
      campaign,
      who,
      at: clock.now() - 2_000,
    });
  return undefined;
}

/** Notes a report of a campaign. @returns what came in its place */
export async function report(world: World, campaign: number): Promise<string | undefined> {
  const { ada, clock, journal } = world;
  const before = new Set(filesOf(world).map(({ ts }) => ts));
  const outcome = await clock.during(ada.command(`/quiz-campaign report "${quizToken(campaign)}" csv`));
  const reply = await clock.during(outcome.reply());
  const file = filesOf(world).find(({ ts }) => !before.has(ts))?.files?.[0];
  if (file === undefined) return `no report: ${textOf(reply).slice(0, 300)}`;
  const at = clock.now();
  const text = await clock.during(fetch(file.url).then((answer) => answer.text()));
  journal.note({ kind: 'report', campaign, rows: parseReport(text), at });
  return undefined;
}

const filesOf = ({ workspace }: World) =>
  workspace.directMessages(workspace.people.ada.id).filter(({ files }) => files?.length);

/** The rows of a report by the titles of its columns. */
function parseReport(text: string): ReportRow[] {
  return parse(text, { bom: true, columns: true });
}
