import { expect, onTestFinished, test } from 'vitest';
import {
  linesByTenant,
  markOf,
  namesIn,
  placesOf,
  plantMarks,
  openTenantsBed,
  type BedTenant,
} from '../support/tenants-bed.ts';
import { takeQuiz } from '../support/take-quiz.ts';
import { textOf } from '../support/test-bed.ts';

const tenantsInAll = 6;
/** So many are busy at the same time. */
const atOnce = 3;

const names = Array.from({ length: tenantsInAll }, (_, index) => `t${String(index).padStart(3, '0')}`);

/** Lines of a trainer’s day; `{quiz}` is an ID of the own account. */
const lines = [
  '/quiz list',
  '/quiz today',
  '/quiz show {quiz}',
  '/quiz results {quiz}',
  '/quiz missing {quiz}',
  '/quiz close {quiz}',
  '/quiz open {quiz}',
  '/quiz-user list',
  '/quiz-group list',
  '/quiz-alerts list',
  '/quiz-admin status',
  '/quiz-admin audit',
  '/quiz-admin whoami',
];

async function inBatches(all: readonly BedTenant[], work: (tenant: BedTenant) => Promise<void>): Promise<void> {
  for (let at = 0; at < all.length; at += atOnce) await Promise.all(all.slice(at, at + atOnce).map(work));
}

const idsOf = ({ quizService: { database } }: BedTenant) => ({
  quiz: database.all<{ id: string }>("SELECT quiz_id AS id FROM quizzes WHERE status = 'open'")[0]!.id,
  user: database.all<{ id: string }>('SELECT user_id AS id FROM users')[0]!.id,
  group: database.all<{ id: string }>('SELECT group_id AS id FROM groups')[0]!.id,
});

async function liveADay(tenant: BedTenant): Promise<void> {
  const { workspace, quizService } = tenant;
  const ada = workspace.as(workspace.people.ada.id);
  const { quiz } = idsOf(tenant);
  await ada.openHome();
  for (const line of lines) await (await ada.command(line.replace('{quiz}', quiz))).reply();
  await takeQuiz(quizService.url, quiz);
  await workspace.until(() => workspace.messages(workspace.channels.results.id).length > 0);
}

/** The administrator of one account asks for what is another’s, by its IDs. */
async function askForOthers(tenant: BedTenant, other: BedTenant): Promise<string> {
  const ada = tenant.workspace.as(tenant.workspace.people.ada.id);
  const { quiz, user, group } = idsOf(other);
  const asked = [`/quiz show ${quiz}`, `/quiz close ${quiz}`, `/quiz-user show ${user}`, `/quiz-group show ${group}`];
  const answers = [];
  for (const line of asked) answers.push(textOf(await (await ada.command(line)).reply()));
  return answers.join('\n');
}

function foreignNames({ name }: BedTenant, places: ReadonlyMap<string, string>): string[] {
  return [...places].flatMap(([place, text]) =>
    [...namesIn(text)].filter((found) => found !== name).map((found) => `${found} is in the ${place} of ${name}`),
  );
}

test(`of ${tenantsInAll} tenants, none gets a byte of another’s`, async () => {
  const bed = await openTenantsBed(
    {
      names,
      optionsOf: (name) => ({ quizService: { sampleSeed: 1 + names.indexOf(name) } }),
      onOpened: ({ quizService, name }) => plantMarks(quizService, name),
    },
    onTestFinished,
  );
  const tenants = [...bed.tenants.values()];
  await inBatches(tenants, liveADay);
  const answers: string[] = [];
  await inBatches(tenants, async (tenant) => {
    const other = tenants[(tenants.indexOf(tenant) + 1) % tenants.length]!;
    answers.push(await askForOthers(tenant, other));
    expect(idsOf(other).quiz).not.toBe(idsOf(tenant).quiz);
  });

  const log = linesByTenant(bed.lines);
  for (const tenant of tenants) {
    const places = placesOf(bed, tenant, log.get(tenant.name) ?? []);
    // What is looked for is there: each tenant has seen its own.
    for (const place of ['calls', 'messages', 'account', 'files'])
      expect(places.get(place)?.includes(markOf(tenant.name)), `${place} of ${tenant.name}`).toBe(true);
    expect(log.get(tenant.name), `log of ${tenant.name}`).not.toBeUndefined();
    expect(foreignNames(tenant, places)).toEqual([]);
  }
  const ownerless = bed.lines.filter((line) => !line.includes('"tenant":"')).join('\n');
  expect([...namesIn(ownerless)]).toEqual([]);
  for (const answer of answers) expect(answer).not.toMatch(/Forklift|Workplace/);

  // A control: one byte of another one is noticed.
  const [first, second] = tenants as [BedTenant, BedTenant];
  await (await first.workspace.as(first.workspace.people.ada.id).command(`/quiz close ${markOf(second.name)}`)).reply();
  expect(foreignNames(first, placesOf(bed, first, linesByTenant(bed.lines).get(first.name) ?? []))).not.toEqual([]);
});
