import type { Message } from '../../../../src/sandbox/workspace/model.ts';
import { people } from '../../../../src/sandbox/workspace/people.ts';
import { approvalActions, decisionOn } from '../../approvals.ts';
import { textOf } from '../../open-test-bed.ts';
import type { BotSurroundings } from '../../process-test-bed.ts';
import type { Load } from '../run-kills.ts';

interface Asked {
  userName: string;
  request: Pick<Message, 'channel' | 'ts'>;
}

/** What a person waits for before trying again: a modal, or that the decision is announced. */
const triesForMs = 4_000;
const { ada, uma } = people;

/** Uma asks for suspensions. Counts from now on what the service changes of these users. */
export async function askForSuspensions(
  { workspace, quizService: { database } }: BotSurroundings,
  userNames: readonly string[],
): Promise<Asked[]> {
  const { ask } = approvalActions({ workspace });
  const asked: Asked[] = [];
  for (const userName of userNames)
    asked.push({ userName, request: await ask(uma.id, `/quiz-user suspend ${userName} --reason Left`) });
  database.run('CREATE TABLE suspensions (user_name TEXT NOT NULL)');
  database.run(
    'CREATE TRIGGER suspended AFTER UPDATE OF suspended ON users BEGIN INSERT INTO suspensions VALUES (NEW.user_name); END',
  );
  return asked;
}

/** Ada approves the requests one after the other: each is carried out and announced once. */
export function approvingLoad(
  { workspace, quizService: { database } }: BotSurroundings,
  asked: readonly Asked[],
): Load {
  const shown = ({ channel, ts }: Asked['request']) => workspace.messages(channel).find((message) => message.ts === ts);
  const isApproved = ({ request }: Asked) => textOf(shown(request)).includes('approved:');
  const notices = () => workspace.directMessages(uma.id);
  const isNotified = () => notices().filter((message) => isReply(message)).length >= asked.length;
  const done = () => asked.filter(isApproved).length;

  async function approve({ request }: Asked): Promise<void> {
    const known = new Set(workspace.views(ada.id).map(({ hash }) => hash));
    await workspace.as(ada.id).click(request, 'modal:decide-request');
    const view = await workspace.until(
      () => workspace.views(ada.id).find((open) => !known.has(open.hash) && open.callback_id === 'decide-request'),
      triesForMs,
    );
    await workspace.as(ada.id).submit(view, decisionOn(view));
  }

  return {
    done,
    isWaiting: () => done() < asked.length,
    async send() {
      for (const one of asked)
        while (!isApproved(one)) {
          // The bot may be away.
          await approve(one).catch(() => {});
          await workspace.until(() => isApproved(one), triesForMs).catch(() => {});
        }
    },
    // What is missing is judged.
    over: () => workspace.until(() => done() === asked.length && isNotified()).catch(() => {}),
    judge() {
      const suspended = database
        .all<{ user_name: string }>('SELECT user_name FROM suspensions')
        .map(({ user_name }) => user_name);
      const times = ({ userName }: Asked) => suspended.filter((name) => name === userName).length;
      const seen = {
        requests: approvalActions({ workspace }).requests().length,
        notices: notices().filter((message) => !isReply(message)).length,
        replies: notices().filter(isReply).length,
      };
      const counts = `of ${asked.length}: ${JSON.stringify(seen)}`;
      return {
        lost: [
          ...asked.filter((one) => !isApproved(one) || times(one) === 0).map(({ userName }) => userName),
          ...Array<string>(Math.max(0, asked.length - seen.replies)).fill(counts),
        ],
        doubled: [
          ...asked.filter((one) => times(one) > 1).map(({ userName }) => userName),
          ...Object.values(seen).flatMap((count) => Array<string>(Math.max(0, count - asked.length)).fill(counts)),
        ],
        wrong: suspended.filter((name) => asked.every(({ userName }) => userName !== name)),
        figure: `${asked.length} approvals`,
      };
    },
  };
}

const isReply = ({ threadTs }: Message) => threadTs !== undefined;
