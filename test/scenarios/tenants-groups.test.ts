import { expect, onTestFinished, test } from 'vitest';
import { eventBody, sign } from '../support/event.ts';
import { ownQuiz, ownQuizId, plantOthers } from '../support/other-groups.ts';
import { openTenantsBed, type BedTenant } from '../support/tenants-bed.ts';
import { textOf } from '../support/test-bed.ts';

const groups: Readonly<Record<string, string>> = { cooks: 'Kitchen', porters: 'Warehouse' };

/** Two bots for a group each, with one account. */
async function startTwo() {
  const planted = new Set<unknown>();
  const bed = await openTenantsBed(
    {
      names: Object.keys(groups),
      accounts: ['group'],
      optionsOf: (name) => ({ account: 'group', settings: { groups: [groups[name]], owners: ['U00000ZOE'] } }),
      onOpened({ quizService }) {
        if (!planted.has(quizService)) plantOthers(quizService);
        planted.add(quizService);
      },
    },
    onTestFinished,
  );
  const [cooks, porters] = Object.keys(groups).map((name) => bed.tenants.get(name)!) as [BedTenant, BedTenant];
  const send = async (id: string, data: Record<string, unknown>) => {
    const body = eventBody({ event_id: id }, { email_address: 'guest@guest.example', ...data });
    const headers = { 'x-webhook-signature': sign(body, bed.secrets['GROUP_HOOK']) };
    return (await fetch(`${bed.url}/webhooks/quiz/group`, { method: 'POST', body, headers })).text();
  };
  return { bed, cooks, porters, send };
}

async function ask({ workspace }: BedTenant, line: string): Promise<string> {
  return textOf(await (await workspace.as(workspace.people.zoe.id).command(line)).reply());
}

const announced = ({ workspace }: BedTenant) =>
  workspace.messages(workspace.channels.results.id).map(textOf).join('\n');

test('two bots of one account each have their group, and read the account once', async () => {
  const { bed, cooks, porters } = await startTwo();
  const [ofCooks, ofPorters] = [await ask(cooks, '/quiz-user list'), await ask(porters, '/quiz-user list')];
  expect(ofCooks).toContain('Rosa Almeida');
  expect(ofCooks).not.toContain('Ravi Banerjee');
  expect(ofPorters).toContain('Ravi Banerjee');
  expect(ofPorters).not.toContain('Rosa Almeida');
  expect(await ask(cooks, '/quiz-group list')).toContain('Kitchen');
  expect(await ask(porters, `/quiz show ${ownQuiz}`)).toContain('No quiz is called');
  const quizzes = cooks.quizService.database.all('SELECT 1 FROM quizzes').length;
  const metrics = await (await fetch(`${bed.url}/metrics`)).text();
  const count = (call: string) =>
    Number(
      new RegExp(
        `^invigilator_quiz_calls_total\\{operation="${call}",status="200",account="group"\\} (\\d+)$`,
        'm',
      ).exec(metrics)?.[1],
    );
  expect(count('quizzes.groups')).toBe(quizzes);
  expect(count('users.list')).toBeLessThan(4);
});

test('a webhook of the account is announced by the bot whose it is, and nothing of it is left at the other', async () => {
  const { bed, cooks, porters, send } = await startTwo();
  const ravi = porters.quizService.database.get<{ user_id: string }>(
    "SELECT user_id FROM users WHERE user_name = 'ravi@quiz.example'",
  )!.user_id;
  const shared = porters.quizService.database.get<{ quiz_id: string }>(
    "SELECT quiz_id FROM quizzes WHERE name = 'Workplace safety basics'",
  )!.quiz_id;
  expect(await send('one', { quiz_id: shared, user_id: 'u-karl', first_name: 'Karl', last_name: 'Kitchener' })).toBe(
    'Taken.\n',
  );
  expect(await send('two', { quiz_id: shared, user_id: ravi, first_name: 'Ravi', last_name: 'Banerjee' })).toBe(
    'Taken.\n',
  );
  expect(await send('three', { quiz_id: ownQuizId, user_id: null, first_name: 'Gina', last_name: 'Guest' })).toBe(
    'Taken.\n',
  );
  expect(await send('four', { quiz_id: shared, user_id: null, first_name: 'Nobody', last_name: 'Guest' })).toBe(
    'Not for this bot.\n',
  );
  await cooks.workspace.until(() => /Karl/.test(announced(cooks)) && /Gina/.test(announced(cooks)));
  await porters.workspace.until(() => /Ravi/.test(announced(porters)));
  expect(announced(cooks)).not.toMatch(/Ravi|Nobody/);
  expect(announced(porters)).not.toMatch(/Karl|Gina|Nobody/);
  const metrics = await (await fetch(`${bed.url}/metrics`)).text();
  for (const [tenant, others] of [
    ['cooks', 2],
    ['porters', 3],
  ] as const)
    expect(metrics).toMatch(
      new RegExp(`^invigilator_webhooks_total\\{outcome="other_groups",tenant="${tenant}"\\} ${others}$`, 'm'),
    );
});

test('what one bot changes, the other sees as far as it is its own', async () => {
  const { cooks, porters } = await startTwo();
  await ask(cooks, '/quiz-user list');
  await ask(porters, '/quiz-user list');
  expect(await ask(cooks, '/quiz-user create kim@quiz.example Kim March')).toContain('in the group *Kitchen*');
  expect(await ask(cooks, '/quiz-user list kim')).toContain('Kim March');
  expect(await ask(porters, '/quiz-user list kim')).not.toContain('Kim March');
  expect(await ask(porters, '/quiz-user create kim@quiz.example Kim Other')).not.toContain('March');
});
