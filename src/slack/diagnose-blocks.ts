import type { WebClient } from '@slack/web-api';
import { fault, right, unknown, type Diagnosis } from '../domain/diagnosis.ts';
import { rightsOf } from '../governance/rights/rights.ts';
import { catalog } from '../operations/catalog.ts';
import { sampleAnnouncements, sampleResults } from './sample-messages.ts';
import { answeredCodeOf, messageOf } from './slack-finding.ts';
import { toEnglish } from '../words/to-english.ts';
import { changeShownTexts } from './shown-texts.ts';
import { announcementMessage } from './views/announcement.ts';
import { formView } from './views/blocks/form.ts';
import { resultsMessage } from './views/results/results.ts';

type Shown = NonNullable<Parameters<WebClient['blocks']['validate']>[0]>;

/** https://docs.slack.dev/reference/methods/blocks.validate#errors */
const invalid: ReadonlySet<string> = new Set(['invalid_blocks', 'invalid_message', 'invalid_view']);
const askedAtOnce = 5;

/** Asks Slack whether the workspace takes a message of each kind and each form. Nothing is posted. */
export async function blocksDiagnoses(client: WebClient): Promise<Diagnosis[]> {
  const messages = [
    ...Object.entries(sampleAnnouncements).map(([name, sample]) => ({ name, ...announcementMessage(sample) })),
    { name: 'show-results', ...resultsMessage(sampleResults, 'UTC') },
  ];
  const rights = rightsOf({ personId: '', isOwner: true, user: undefined, nobody: undefined });
  const forms = catalog
    .filter(({ fields }) => Object.keys(fields).length > 0)
    .map((operation) => ({ name: operation.name, view: formView(operation, rights) }));
  try {
    const refused = [
      ...(await refusalsOf(messages, ({ blocks }) => problemOf(client, { message: { blocks } }))),
      ...(await refusalsOf(forms, ({ view }) => problemOf(client, { view }))),
    ];
    if (refused.length === 0)
      return [
        right(`the workspace takes the blocks of all ${messages.length} kinds of messages and ${forms.length} forms`),
      ];
    const plainer = await refusalsOf(
      messages.filter(({ name }) => refused.some((one) => one.name === name)),
      ({ blocks, plain = blocks }) => problemOf(client, { message: { blocks: plain } }),
    );
    return refused.map(({ name, problem }) =>
      messages.some((message) => message.name === name) && !plainer.some((one) => one.name === name)
        ? unknown(`the workspace does not take the blocks of ${name} (${problem}): people read it in a plainer form`)
        : fault(`Slack refuses the blocks of ${name} (${problem}): report it with this line`),
    );
  } catch (error) {
    return [
      unknown(
        `whether the workspace takes the bot’s blocks was not checked (${answeredCodeOf(error) ?? messageOf(error)})`,
      ),
    ];
  }
}

async function refusalsOf<Item extends { name: string }>(
  items: readonly Item[],
  problemIn: (item: Item) => Promise<string | undefined>,
): Promise<{ name: string; problem: string }[]> {
  const found: { name: string; problem: string }[] = [];
  for (let from = 0; from < items.length; from += askedAtOnce) {
    const problems = await Promise.all(
      items.slice(from, from + askedAtOnce).map(async (item) => ({ name: item.name, problem: await problemIn(item) })),
    );
    found.push(...problems.flatMap(({ name, problem }) => (problem === undefined ? [] : [{ name, problem }])));
  }
  return found;
}

/**
 * @returns what is wrong, as Slack says it; undefined: nothing
 * @throws for any other error, such as `unknown_method` where Slack does not have the method
 */
async function problemOf(client: WebClient, shown: Shown): Promise<string | undefined> {
  try {
    await client.blocks.validate(changeShownTexts(shown, toEnglish));
    return undefined;
  } catch (error) {
    const code = answeredCodeOf(error);
    if (code === undefined || !invalid.has(code)) throw error;
    const { data } = error as { data?: { errors?: readonly { pointer?: string; message?: string }[] } };
    const [first] = data?.errors ?? [];
    return [first?.pointer, first?.message].filter(Boolean).join(': ') || code;
  }
}
