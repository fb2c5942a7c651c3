import type { Database } from '../../src/sandbox/quiz-service/database.ts';

type ResponseIds = Record<'quiz_id' | 'response_id', string>;

/** The ids of the sample account, by name. Lists are in the order of creation. */
export interface Sample {
  quizIds: readonly string[];
  userIds: readonly string[];
  quizId: (name: string) => string;
  userId: (userName: string) => string;
  groupId: (groupName: string) => string;
  responseIds: (quizId: string) => string[];
  /** A response that a user has started but not submitted. */
  unsubmitted: ResponseIds;
  unstarted: ResponseIds;
  /** A response through a quiz link with an access code. */
  ofGuest: ResponseIds;
  /** A response with registration fields. */
  registered: ResponseIds;
  /** A response with a certificate. */
  certified: ResponseIds;
  /** Rosa's response, with the only uploaded file. */
  upload: ResponseIds & Record<'file_id', string>;
}

export function readSample(database: Database): Sample {
  const quizzes = named(database, 'SELECT quiz_id AS id, name FROM quizzes ORDER BY seq');
  const users = named(database, 'SELECT user_id AS id, user_name AS name FROM users ORDER BY seq');
  const groups = named(database, 'SELECT group_id AS id, group_name AS name FROM groups ORDER BY seq');
  const responses = database.all<ResponseIds>('SELECT quiz_id, response_id FROM responses ORDER BY seq');
  const responseWhere = (condition: string): ResponseIds =>
    found(database.get(`SELECT quiz_id, response_id FROM responses WHERE ${condition} ORDER BY seq LIMIT 1`));

  return {
    quizIds: [...quizzes.values()],
    userIds: [...users.values()],
    quizId: idIn(quizzes),
    userId: idIn(users),
    groupId: idIn(groups),
    responseIds: (quizId) =>
      responses.filter(({ quiz_id }) => quiz_id === quizId).map(({ response_id }) => response_id),
    unsubmitted: responseWhere(`status = 'not_submitted'`),
    unstarted: responseWhere(`status = 'not_started'`),
    ofGuest: responseWhere(`publish_type = 'quiz_link' AND access_code <> ''`),
    registered: responseWhere(`registration_fields <> '[]'`),
    certified: responseWhere(
      'pass = 1 AND quiz_id IN (SELECT quiz_id FROM quizzes WHERE has_certificate = 1 AND has_report = 1)',
    ),
    upload: found(database.get('SELECT quiz_id, response_id, file_id FROM files JOIN responses USING (response_id)')),
  };
}

/** The ids by name. */
function named(database: Database, sql: string): Map<string, string> {
  return new Map(database.all<{ id: string; name: string }>(sql).map(({ id, name }) => [name, id]));
}

function idIn(ids: ReadonlyMap<string, string>) {
  return (name: string): string => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`The sample account has no ${name}`);
    return id;
  };
}

function found<Row extends object>(row: Row | undefined): Row {
  if (!row) throw new Error('The sample account has no row for a case');
  return { ...row };
}
