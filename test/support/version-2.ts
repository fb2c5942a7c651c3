import { eventBody } from './event.ts';

/*
 * The exact data of bots of version 1.0: the SQLite tables with schema version 2, and the JSON in both stores.
 */

export const version2Tables = `
  CREATE TABLE keyed_values (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER) STRICT, WITHOUT ROWID;
  CREATE TABLE events (position INTEGER PRIMARY KEY, event_id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, body TEXT NOT NULL, trusted INTEGER NOT NULL, settled INTEGER NOT NULL DEFAULT 0, subject TEXT NOT NULL DEFAULT '', taken_at INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE INDEX events_waiting ON events (position) WHERE settled = 0;
  CREATE INDEX events_subject ON events (subject, position) WHERE subject <> '';
  CREATE INDEX events_settled ON events (taken_at) WHERE settled = 1;
  CREATE TABLE approvals (team_id TEXT NOT NULL, id TEXT NOT NULL, created_at INTEGER NOT NULL, is_pending INTEGER NOT NULL, version INTEGER NOT NULL, request TEXT NOT NULL, PRIMARY KEY (team_id, id)) STRICT, WITHOUT ROWID;
  CREATE INDEX approvals_pending ON approvals (team_id, created_at) WHERE is_pending = 1;
  CREATE TABLE audit (team_id TEXT NOT NULL, position INTEGER NOT NULL, text TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (team_id, position)) STRICT, WITHOUT ROWID;
  CREATE TABLE audit_heads (team_id TEXT PRIMARY KEY, position INTEGER NOT NULL, hash TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE lane_entries (position INTEGER PRIMARY KEY AUTOINCREMENT, lane TEXT NOT NULL, subscription_id TEXT NOT NULL, at INTEGER NOT NULL, content TEXT NOT NULL) STRICT;
  CREATE INDEX lane_entries_of_lane ON lane_entries (lane, position, subscription_id, at);
  CREATE INDEX lane_entries_of_subscription ON lane_entries (subscription_id, at);
  CREATE TABLE lane_states (lane TEXT PRIMARY KEY, version INTEGER NOT NULL, is_busy INTEGER NOT NULL, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX lane_states_busy ON lane_states (lane) WHERE is_busy = 1;
  CREATE TABLE subscriptions (team_id TEXT NOT NULL, id TEXT NOT NULL, created_at INTEGER NOT NULL, subscription TEXT NOT NULL, pause TEXT NOT NULL, PRIMARY KEY (team_id, id)) STRICT, WITHOUT ROWID;
  CREATE TABLE tallies (name TEXT NOT NULL, field TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (name, field)) STRICT, WITHOUT ROWID;
  PRAGMA user_version = 2;
`;

export const oldSubmission =
  '{"quizId":"q-1","quizName":"Fire safety","responseId":"r-0","name":"Uma Ray","points":3,"availablePoints":10,"percentage":30,"grade":"F","passed":false,"attempt":1,"durationSeconds":60,"submittedAt":1541117147000,"isLate":true}';
export const oldContent = `{"kind":"submission","submission":${oldSubmission}}`;
export const oldDigest = '{"kind":"digest","digest":{"from":1,"to":2,"quizzes":[]}}';
export const oldChannelState =
  '{"threads":{"s-1/q-1/2026-11-21":{"quizId":"q-1","quizName":"Fire safety","day":"2026-11-21","timeZone":"UTC","submitted":2,"passed":1,"percentagesTotal":90,"shown":1,"usedAt":5,"ts":"1.5"}},"failures":1,"notBefore":7,"lastTs":"1.6","underWay":{"id":"m-1","startedAt":6,"positions":[3],"thread":{"key":"s-1/q-1/2026-11-21","isParent":false,"counted":{"quizId":"q-1","quizName":"Fire safety","day":"2026-11-21","timeZone":"UTC","submitted":3,"passed":2,"percentagesTotal":180,"shown":1,"usedAt":5,"ts":"1.5"}}}}';
export const oldCompareState = '{"lastQuizId":"q-1","askedAt":5,"pauseMs":60000,"failures":0}';
export const oldSubscription =
  '{"id":"s-1","teamId":"T1","channelId":"C1","ownerId":"U1","quiz":null,"which":{"kind":"below","percentage":50},"how":{"kind":"digest","every":"day","at":"08:30"},"timeZone":"UTC","showsNames":true,"createdAt":1000}';
export const oldPause = '{"since":1,"until":null,"by":null,"code":"is_archived","isTold":false}';
export const oldRequest =
  '{"id":"a","teamId":"T1","operation":"close-quiz","input":{"quiz":["q-1"]},"requesterId":"U1","reason":"Over","createdAt":1000,"remindAt":2000,"expiresAt":3000,"asked":{"effect":"Closes it","details":[],"targets":[]},"state":"closed","isReminded":false,"failures":1,"posts":{"messages":[]},"lastFailure":{"sentence":"No answer.","by":"U2","at":1500},"outcome":{"kind":"done","sentence":"It is done.","at":1600}}';
export const oldAuditText =
  '{"at":1000,"reference":"ref-1","by":"U1","operation":"close-quiz","action":"failed","through":"command","sentence":"No answer."}';

/** Waiting events in order of arrival, with the bodies that version 3 no longer stores. `late:q-1:r-9` comes after its webhook, `late:q-1:r-1` before it. */
export const oldWaiting: readonly { id: string; type: string; body: string; trusted: boolean; subject: string }[] = [
  {
    id: 'trusted',
    type: 'response.submitted',
    trusted: true,
    subject: 'q-1/r-9',
    body: eventBody({ event_id: 'trusted' }, { response_id: 'r-9' }),
  },
  {
    id: 'late:q-1:r-9',
    type: 'response.submitted',
    trusted: true,
    subject: 'q-1/r-9',
    body: eventBody({ event_id: 'late:q-1:r-9' }, { response_id: 'r-9' }),
  },
  {
    id: 'late:q-1:r-1',
    type: 'response.submitted',
    trusted: true,
    subject: 'q-1/r-1',
    body: eventBody({ event_id: 'late:q-1:r-1' }),
  },
  {
    id: 'after late',
    type: 'response.submitted',
    trusted: true,
    subject: 'q-1/r-1',
    body: eventBody({ event_id: 'after late' }),
  },
  { id: 'hint', type: 'response.submitted', trusted: false, subject: '', body: eventBody({ event_id: 'hint' }) },
  {
    id: 'open',
    type: 'response.submitted',
    trusted: true,
    subject: 'q-1/r-3',
    body: eventBody({ event_id: 'open' }, { response_id: 'r-3', status: 'not_submitted', date_submitted: null }),
  },
  { id: 'other', type: 'user.created', trusted: true, subject: '', body: '{"data":{"user_id":"u-1"}}' },
];

/** Handled events. */
export const oldSettled: readonly { id: string; subject: string; takenAt: number }[] = [
  { id: 'settled', subject: 'q-1/r-7', takenAt: 500 },
  { id: 'late:q-1:r-8', subject: 'q-1/r-8', takenAt: 600 },
];

/** The ids of these events in version 3. */
export const knownAfterwards = [
  'settled',
  'backfilled:q-1:r-8',
  'trusted',
  'backfilled:q-1:r-1',
  'after late',
  'hint',
  'open',
  'other',
];
