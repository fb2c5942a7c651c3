import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QuizService } from '../../src/sandbox/quiz-service/service.ts';
import type { BedTenant, TenantsBed } from './tenants-bed.ts';

/** What stands in everything of an account, so that a byte of it elsewhere is noticed. */
export const markOf = (name: string): string => `Zq${name.replaceAll('-', '')}qZ`;
const marks = /Zq([a-z0-9]+)qZ|(?:token|secret|key)-of-([a-z0-9]+)/g;

/** Puts the mark into the names of the account’s quizzes, groups and people, before the bot reads them. */
export function plantMarks({ database }: QuizService, name: string): void {
  const mark = markOf(name);
  database.run(`UPDATE quizzes SET name = name || ' ${mark}'`);
  database.run(`UPDATE groups SET group_name = group_name || ' ${mark}'`);
  database.run(`UPDATE users SET last_name = last_name || ' ${mark}', organization = organization || ' ${mark}'`);
  database.run(`UPDATE responses SET last_name = last_name || ' ${mark}'`);
}

/** The names of tenants whose marks, or secrets, stand in a text. */
export function namesIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(marks)].map(([, marked, ofSecret]) => marked ?? ofSecret!));
}

/** Lines of the log by each tenant that they are about. */
export function linesByTenant(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const line of lines)
    for (const name of new Set([...line.matchAll(/"tenant":"([^"]*)"/g)].map(([, of]) => of!))) {
      const about = found.get(name);
      if (about === undefined) found.set(name, [line]);
      else about.push(line);
    }
  return found;
}

/**
 * Everything that a tenant’s workspace and account got from the bot, and what the bot keeps of it, by where it stands.
 *
 * @param log lines about the tenant
 */
export function placesOf(
  { dataDir }: Pick<TenantsBed, 'dataDir'>,
  { name, workspace, quizService }: BedTenant,
  log: readonly string[],
): ReadonlyMap<string, string> {
  const tables = quizService.database.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
  const account = tables.map((table) => JSON.stringify(quizService.database.all(`SELECT * FROM "${table.name}"`)));
  const files = globSync(`${join(dataDir, 'tenants', name)}/**/*`, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  return new Map([
    ['calls', JSON.stringify(workspace.calls.map(({ method, args }) => [method, args]))],
    [
      'messages',
      JSON.stringify([
        Object.values(workspace.channels).map(({ id }) => workspace.messages(id)),
        Object.values(workspace.people).map(({ id }) => [
          workspace.ephemerals(id),
          workspace.directMessages(id),
          workspace.home(id),
          workspace.views(id),
        ]),
      ]),
    ],
    ['answers', JSON.stringify(workspace.deliveries.map(({ answer }) => answer))],
    ['account', account.join('\n')],
    ['files', files.join('\n')],
    ['log', log.join('\n')],
  ]);
}
