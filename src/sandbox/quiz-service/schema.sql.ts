export const schemaVersion = 1;

const tables = { user: 'users', quiz: 'quizzes', group: 'groups' };

/** A table of what belongs together. */
const pairs = (table: string, one: keyof typeof tables, other: keyof typeof tables, more = ''): string =>
  `CREATE TABLE ${table} (
  seq INTEGER PRIMARY KEY,
  ${one}_id TEXT NOT NULL REFERENCES ${tables[one]} (${one}_id) ON DELETE CASCADE,
  ${other}_id TEXT NOT NULL REFERENCES ${tables[other]} (${other}_id) ON DELETE CASCADE,${more}
  UNIQUE (${one}_id, ${other}_id)
);`;

/**
 * The database schema. `seq` is the order of creation, which is the order of lists.
 * Text dates have the format of the REST interface. Columns that end in `_ms` hold milliseconds since 1970.
 */
export const schema = /* sql */ `
CREATE TABLE account (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  api_key TEXT
);

CREATE TABLE quizzes (
  seq INTEGER PRIMARY KEY,
  quiz_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('in_design', 'open', 'closed')),
  date_created TEXT NOT NULL,
  pass_mark REAL NOT NULL DEFAULT 50,
  grades TEXT NOT NULL DEFAULT '[]',
  attempts_limit INTEGER,
  access_code TEXT NOT NULL DEFAULT '',
  has_certificate INTEGER NOT NULL DEFAULT 0,
  has_report INTEGER NOT NULL DEFAULT 0,
  registration_fields TEXT NOT NULL DEFAULT '[]'
);

CREATE TABLE questions (
  seq INTEGER PRIMARY KEY,
  question_id TEXT NOT NULL UNIQUE,
  quiz_id TEXT NOT NULL REFERENCES quizzes (quiz_id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  text TEXT NOT NULL,
  use_option_points INTEGER NOT NULL DEFAULT 0,
  has_partial_credit INTEGER NOT NULL DEFAULT 0,
  points_available REAL NOT NULL,
  categories TEXT NOT NULL DEFAULT '[]'
);
CREATE INDEX questions_of_quiz ON questions (quiz_id);

CREATE TABLE options (
  seq INTEGER PRIMARY KEY,
  option_id TEXT NOT NULL UNIQUE,
  question_id TEXT NOT NULL REFERENCES questions (question_id) ON DELETE CASCADE,
  version INTEGER NOT NULL DEFAULT 1,
  text TEXT NOT NULL,
  correct INTEGER NOT NULL,
  points REAL NOT NULL DEFAULT 0
);
CREATE INDEX options_of_question ON options (question_id);

CREATE TABLE users (
  seq INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL UNIQUE,
  user_name TEXT NOT NULL,
  folded_user_name TEXT NOT NULL UNIQUE,
  password_hash TEXT,
  user_type TEXT NOT NULL CHECK (user_type IN ('respondent', 'trainer', 'administrator')),
  email_address TEXT NOT NULL DEFAULT '',
  first_name TEXT NOT NULL DEFAULT '',
  last_name TEXT NOT NULL DEFAULT '',
  organization TEXT NOT NULL DEFAULT '',
  notes TEXT NOT NULL DEFAULT '',
  time_zone TEXT NOT NULL DEFAULT 'UTC',
  suspended INTEGER NOT NULL DEFAULT 0,
  manage_users INTEGER NOT NULL DEFAULT 0,
  manage_groups INTEGER NOT NULL DEFAULT 0,
  edit_quizzes INTEGER NOT NULL DEFAULT 0,
  date_created TEXT NOT NULL
);

CREATE TABLE names_taken_elsewhere (folded_user_name TEXT PRIMARY KEY) WITHOUT ROWID;

CREATE TABLE groups (
  seq INTEGER PRIMARY KEY,
  group_id TEXT NOT NULL UNIQUE,
  group_name TEXT NOT NULL
);

${pairs('user_quizzes', 'user', 'quiz', ' date_assigned TEXT NOT NULL,')}
CREATE INDEX users_of_quiz ON user_quizzes (quiz_id);
${pairs('user_groups', 'user', 'group')}
CREATE INDEX users_of_group ON user_groups (group_id);
${pairs('group_quizzes', 'group', 'quiz')}
CREATE INDEX groups_of_quiz ON group_quizzes (quiz_id);
${pairs('trainer_quizzes', 'user', 'quiz')}
CREATE INDEX trainers_of_quiz ON trainer_quizzes (quiz_id);
${pairs('trainer_groups', 'user', 'group')}

CREATE TABLE responses (
  seq INTEGER PRIMARY KEY,
  response_id TEXT NOT NULL UNIQUE,
  quiz_id TEXT NOT NULL REFERENCES quizzes (quiz_id) ON DELETE CASCADE,
  user_id TEXT REFERENCES users (user_id) ON DELETE SET NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email_address TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('not_started', 'not_submitted', 'submitted')),
  started_ms INTEGER,
  date_submitted TEXT,
  points REAL NOT NULL DEFAULT 0,
  available_points REAL NOT NULL DEFAULT 0,
  percentage_score INTEGER NOT NULL DEFAULT 0,
  grade TEXT NOT NULL DEFAULT '',
  pass INTEGER NOT NULL DEFAULT 0,
  duration INTEGER NOT NULL DEFAULT 0,
  attempt INTEGER NOT NULL,
  ip_address TEXT NOT NULL,
  publish_type TEXT NOT NULL CHECK (publish_type IN ('quiz_link', 'assigned_user')),
  access_code TEXT NOT NULL DEFAULT '',
  registration_fields TEXT NOT NULL DEFAULT '[]'
);
CREATE INDEX responses_of_quiz ON responses (quiz_id, seq);
CREATE INDEX responses_of_user ON responses (user_id, quiz_id);

CREATE TABLE answers (
  response_id TEXT NOT NULL REFERENCES responses (response_id) ON DELETE CASCADE,
  question_id TEXT NOT NULL REFERENCES questions (question_id) ON DELETE CASCADE,
  selected_option_ids TEXT NOT NULL DEFAULT '[]',
  text TEXT NOT NULL DEFAULT '',
  points_scored REAL NOT NULL,
  PRIMARY KEY (response_id, question_id)
) WITHOUT ROWID;
CREATE INDEX answers_to_question ON answers (question_id);

CREATE TABLE files (
  seq INTEGER PRIMARY KEY,
  file_id TEXT NOT NULL UNIQUE,
  response_id TEXT NOT NULL REFERENCES responses (response_id) ON DELETE CASCADE,
  question_id TEXT NOT NULL REFERENCES questions (question_id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  content_type TEXT NOT NULL,
  content BLOB NOT NULL
);
CREATE INDEX files_of_response ON files (response_id);
CREATE INDEX files_of_question ON files (question_id);

CREATE TABLE webhooks (
  seq INTEGER PRIMARY KEY,
  webhook_id TEXT NOT NULL UNIQUE,
  url TEXT NOT NULL,
  secret TEXT,
  scheme TEXT NOT NULL CHECK (scheme IN ('body', 'timestamp-body', 'standard', 'timestamp-secret')),
  events TEXT NOT NULL,
  date_created TEXT NOT NULL
);

CREATE TABLE deliveries (
  seq INTEGER PRIMARY KEY,
  webhook_id TEXT NOT NULL REFERENCES webhooks (webhook_id) ON DELETE CASCADE,
  event_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  event_date TEXT NOT NULL,
  event_data TEXT NOT NULL,
  attempt INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'given_up')),
  next_attempt_ms INTEGER NOT NULL,
  last_result TEXT NOT NULL DEFAULT ''
);
CREATE INDEX deliveries_due ON deliveries (next_attempt_ms) WHERE state = 'pending';
CREATE INDEX deliveries_of_webhook ON deliveries (webhook_id, seq);
`;
