import type { Database } from '../../src/sandbox/quiz-service/database.ts';
import { idPartOf, markOf } from './cohort.ts';

/** In the order in which rows can be added. */
const tables = [
  'quizzes',
  'groups',
  'users',
  'user_quizzes',
  'user_groups',
  'group_quizzes',
  'trainer_quizzes',
  'trainer_groups',
  'responses',
];

/** Keeps a copy of every row. @returns a function that gives the records of a cohort back as they were, without others */
export function keepRows(database: Database): (cohort: number) => void {
  const columns = new Map(
    tables.map((table) => {
      const names = database
        .all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
        .map(({ name }) => name)
        .filter((name) => name !== 'seq');
      database.run(`CREATE TABLE kept_${table} AS SELECT ${names.join(', ')} FROM ${table}`);
      return [table, names.join(', ')] as const;
    }),
  );
  const idOf = (table: string) =>
    ({ quizzes: 'quiz_id', groups: 'group_id', responses: 'response_id', group_quizzes: 'group_id' })[table] ??
    'user_id';

  return (cohort) =>
    database.transaction(() => {
      const values = { id: `%${idPartOf(cohort)}%`, mark: `%${markOf(cohort)}%` };
      database.run('DELETE FROM users WHERE user_id LIKE :id OR user_name LIKE :mark', values);
      database.run('DELETE FROM quizzes WHERE quiz_id LIKE :id OR name LIKE :mark', values);
      database.run('DELETE FROM groups WHERE group_id LIKE :id', { id: values.id });
      for (const [table, names] of columns) {
        database.run(
          `INSERT INTO ${table} (${names}) SELECT ${names} FROM kept_${table} WHERE ${idOf(table)} LIKE :id`,
          { id: values.id },
        );
      }
    });
}
