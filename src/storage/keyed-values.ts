/** What a namespace of keyed values holds, and when a value is forgotten. */
type Namespace = readonly [holds: string, forgotten: string];

/** The namespaces of keyed values. Keyv makes the key `<namespace>:<key>` of each in SQLite, and `<namespace>::<key>` in Redis. */
const keyedValues = {
  'agent-tokens': ['by person: hashes and names of the tokens for agents', 'after 30 days'],
  'answered-messages': ['by conversation and time: that a message to the bot was answered', 'after 15 minutes'],
  'audit-anchors': ['by workspace: position and hash of the last audit entry that the bot knows', 'never'],
  'batch-rows': ['by batch: its rows, and the file that they come from', 'after 60 days'],
  'channel-languages': ['by channel: the language in which the bot posts there', 'never'],
  'direct-messages': ['by person: that they turned direct messages off', 'once they turn them on'],
  'evidence-key': [
    'the key that signs packs of evidence, with its private half, and the public halves before it',
    'never',
  ],
  'password-grants': ['by person and user: an offer to show a new password, without it', 'after 24 hours or 14 days'],
  'rights-gained': ['by user: who gave them rights', 'after 30 days'],
  'person-languages': ['by person: the language that they chose', 'once they choose that of Slack, or are erased'],
  plans: ['by plan: what a preview showed', 'after 14 days and APPROVAL_TTL_HOURS'],
  'quiz-budget': ['by account, in SQLite: when the latest requests to the quiz service were sent', 'after an hour'],
  'refused-signatures': ['the latest three refused webhooks: names of headers, paths', 'after 7 days'],
  'set-aside': ['the latest five submissions that could not be announced', 'after 30 days'],
  'shown-requests': ['by reviewer: what they saw of a request for approval', 'when the request expires'],
  'slack-colleagues': ['by hash of an address: a Slack ID', 'after an hour'],
  'slack-conversations': ['by person: the conversation of the bot with them, and by conversation: the person', 'never'],
  'slack-locales': ['by Slack ID: the locale in their profile', 'after 7 days'],
  'slack-managers': ['by Slack ID: the Slack ID of the manager in their profile', 'after a day'],
  'slack-people': ['by Slack ID: name, e-mail address, time zone and locale', 'after 10 minutes'],
  'store-notices': ['by loss: that administrators were notified of it', 'after 30 days'],
  'store-owner': ['hashes of the workspace and users that the store belongs to', 'never'],
  unreadable: ['by table and key: a row of SQLite that could not be read', 'never'],
} as const satisfies Record<string, Namespace>;

export type KeyedNamespace = keyof typeof keyedValues;
