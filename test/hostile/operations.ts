/** How the values of a field travel in a form, a button and a command line. */
export type FieldKind =
  | 'text'
  | 'email'
  | 'choice'
  | 'flags'
  | 'quiz'
  | 'user'
  | 'users'
  | 'group'
  | 'response'
  | 'assignees'
  | 'people'
  | 'channel'
  | 'subscription'
  | 'period'
  | 'file'
  | 'audience'
  | 'campaign'
  | 'campaigns'
  | 'plan'
  | 'batch'
  | 'durations'
  | 'board'
  | 'groups'
  | 'quizzes';

interface OperationShape {
  /** The command, with fields in braces. */
  line: string;
  fields: Readonly<Record<string, FieldKind>>;
  /** It changes nothing of the account. */
  isRead?: true;
}

/** What an operation is given, except a subscription: records by handle in a step, by id in what the judge reads. */
export interface OperationInput {
  operation: string;
  quiz?: string;
  user?: string;
  group?: string;
  response?: string;
  /** A channel to subscribe. */
  channel?: string;
  /** Users and groups. */
  assignees?: readonly string[];
  /** The other values of the form, by field. */
  values?: Readonly<Record<string, readonly string[]>>;
}

/** Every operation as people reach it. A test compares the names and fields with the bot's catalog. */
export const operations: Readonly<Record<string, OperationShape>> = {
  'list-quizzes': {
    line: '/quiz list {name}',
    fields: { name: 'text', status: 'choice' },
    isRead: true,
  },
  'show-quiz': { line: '/quiz show {quiz}', fields: { quiz: 'quiz' }, isRead: true },
  'create-quiz': { line: '/quiz create {name}', fields: { name: 'text' } },
  'rename-quiz': { line: '/quiz rename {quiz} to {name}', fields: { quiz: 'quiz', name: 'text', was: 'text' } },
  'open-quiz': { line: '/quiz open {quiz}', fields: { quiz: 'quiz' } },
  'close-quiz': { line: '/quiz close {quiz}', fields: { quiz: 'quiz' } },
  'copy-quiz': { line: '/quiz copy {quiz} as {name}', fields: { quiz: 'quiz', name: 'text' } },
  'delete-quiz': { line: '/quiz delete {quiz}', fields: { quiz: 'quiz' } },
  'assign-quiz': { line: '/quiz assign {quiz} to {to}', fields: { quiz: 'quiz', to: 'assignees', people: 'people' } },
  'unassign-quiz': {
    line: '/quiz unassign {quiz} from {to}',
    fields: { quiz: 'quiz', to: 'assignees', people: 'people' },
  },
  'show-results': {
    line: '/quiz results {quiz} {user} {person}',
    fields: {
      quiz: 'quiz',
      outcome: 'choice',
      below: 'text',
      period: 'period',
      user: 'user',
      person: 'text',
      group: 'group',
    },
    isRead: true,
  },
  'show-questions': {
    line: '/quiz questions {quiz} {user} {person}',
    fields: {
      quiz: 'quiz',
      outcome: 'choice',
      below: 'text',
      period: 'period',
      user: 'user',
      person: 'text',
      group: 'group',
      page: 'text',
    },
    isRead: true,
  },
  'all-results': {
    line: '/quiz all-results {user} {person}',
    fields: {
      outcome: 'choice',
      below: 'text',
      period: 'period',
      user: 'user',
      person: 'text',
      group: 'group',
      from: 'text',
    },
    isRead: true,
  },
  'export-results': {
    line: '/quiz export {quiz} {group} {person}',
    fields: {
      quiz: 'quiz',
      outcome: 'choice',
      below: 'text',
      period: 'period',
      user: 'user',
      person: 'text',
      group: 'group',
      csv: 'choice',
    },
    isRead: true,
  },
  'show-missing': { line: '/quiz missing {quiz} in {group}', fields: { quiz: 'quiz', group: 'group' }, isRead: true },
  'show-attempt': {
    line: '/quiz attempt {quiz} of {response}',
    fields: { quiz: 'quiz', response: 'response', page: 'text' },
    isRead: true,
  },
  'send-files': {
    line: '/quiz files {quiz} of {response}',
    fields: { quiz: 'quiz', response: 'response', file: 'text' },
    isRead: true,
  },
  'delete-response': {
    line: '/quiz delete-response {quiz} of {response}',
    fields: { quiz: 'quiz', response: 'response' },
  },
  'show-today': { line: '/quiz today', fields: {}, isRead: true },
  'my-quizzes': { line: '/quiz mine', fields: {}, isRead: true },
  'list-users': {
    line: '/quiz-user list {name}',
    fields: { name: 'text', user_type: 'choice', state: 'choice', group: 'group' },
    isRead: true,
  },
  'show-user': { line: '/quiz-user show {user}', fields: { user: 'user' }, isRead: true },
  'find-user': { line: '/quiz-user find {user_name}', fields: { user_name: 'text' }, isRead: true },
  'create-user': {
    line: '/quiz-user create {user_name} Kim March {user_type}',
    fields: {
      user_name: 'text',
      user_type: 'choice',
      first_name: 'text',
      last_name: 'text',
      email_address: 'email',
      groups: 'groups',
      flags: 'flags',
      welcome: 'flags',
      suspended: 'flags',
    },
  },
  'import-users': {
    line: '/quiz-user import from {file}',
    fields: {
      file: 'file',
      user_type: 'choice',
      groups: 'groups',
      quizzes: 'quizzes',
      welcome: 'flags',
      existing: 'flags',
      columns: 'text',
    },
    isRead: true,
  },
  'update-user': {
    line: '/quiz-user update {user}',
    fields: {
      user: 'user',
      user_name: 'text',
      first_name: 'text',
      last_name: 'text',
      email_address: 'email',
      user_type: 'choice',
      edit_quizzes: 'choice',
      manage_users: 'choice',
      manage_groups: 'choice',
      empty: 'flags',
    },
  },
  'suspend-user': { line: '/quiz-user suspend {user}', fields: { user: 'user', left: 'text' } },
  'reinstate-user': { line: '/quiz-user reinstate {user}', fields: { user: 'user' } },
  'suspend-group': { line: '/quiz-user suspend-group {group}', fields: { group: 'group' }, isRead: true },
  'reinstate-group': { line: '/quiz-user reinstate-group {group}', fields: { group: 'group' }, isRead: true },
  'suspend-departed': { line: '/quiz-user suspend-departed', fields: { list: 'text' }, isRead: true },
  'dismiss-departed': { line: '/quiz-user dismiss-departed {list}', fields: { list: 'text' } },
  'empty-group': { line: '/quiz-group empty {group}', fields: { group: 'group' }, isRead: true },
  'reset-password': { line: '/quiz-user reset-password {user}', fields: { user: 'user' } },
  'delete-user': { line: '/quiz-user delete {user}', fields: { user: 'user' } },
  'list-groups': { line: '/quiz-group list {filter}', fields: { filter: 'text' }, isRead: true },
  'show-group': { line: '/quiz-group show {group}', fields: { group: 'group' }, isRead: true },
  'add-to-group': { line: '/quiz-group add {user} to {group}', fields: { user: 'users', group: 'group' } },
  'remove-from-group': { line: '/quiz-group remove {user} from {group}', fields: { user: 'users', group: 'group' } },
  'assign-to-group': { line: '/quiz-group assign {quiz} to {group}', fields: { quiz: 'quiz', group: 'group' } },
  'unassign-from-group': { line: '/quiz-group unassign {quiz} from {group}', fields: { quiz: 'quiz', group: 'group' } },
  'run-batch': { line: '/quiz-admin run {plan}', fields: { plan: 'plan' } },
  'pause-batch': { line: '/quiz-admin pause {batch}', fields: { batch: 'batch' } },
  'resume-batch': { line: '/quiz-admin resume {batch}', fields: { batch: 'batch' } },
  'cancel-batch': { line: '/quiz-admin cancel {batch}', fields: { batch: 'batch' } },
  'batch-result': { line: '/quiz-admin result {batch}', fields: { batch: 'batch' }, isRead: true },
  'undo-batch': { line: '/quiz-admin undo {batch}', fields: { batch: 'batch' }, isRead: true },
  'subscribe-channel': {
    line: '/quiz-alerts subscribe {channel} {quiz} {delivery}',
    fields: {
      channel: 'channel',
      quiz: 'quiz',
      filter: 'choice',
      limit: 'text',
      delivery: 'choice',
      at: 'text',
      time_zone: 'text',
      names: 'flags',
    },
  },
  'list-alerts': { line: '/quiz-alerts list {filter}', fields: { filter: 'text' }, isRead: true },
  'unsubscribe-channel': { line: '/quiz-alerts unsubscribe {subscription}', fields: { subscription: 'subscription' } },
  'pause-alerts': { line: '/quiz-alerts pause {subscription}', fields: { subscription: 'subscription', time: 'text' } },
  'resume-alerts': { line: '/quiz-alerts resume {subscription}', fields: { subscription: 'subscription' } },
  'set-channel-language': {
    line: '/quiz-alerts language {language} {channel}',
    fields: { channel: 'channel', language: 'choice', was: 'choice' },
  },
  'test-alerts': { line: '/quiz-alerts test {subscription}', fields: { subscription: 'subscription' }, isRead: true },
  'start-campaign': {
    line: '/quiz-campaign start {quiz} for {to} due {due}',
    fields: {
      quiz: 'quiz',
      to: 'audience',
      people: 'audience',
      channels: 'audience',
      except: 'audience',
      runs: 'choice',
      due: 'text',
      within: 'durations',
      renew: 'durations',
      remind: 'durations',
      overdue: 'durations',
      escalate: 'durations',
      managers: 'flags',
      lead: 'user',
      board: 'board',
      complete: 'choice',
      valid: 'text',
      say: 'text',
    },
    isRead: true,
  },
  'require-quiz': {
    line: '/quiz-campaign require {quiz} for {to} within {within}',
    fields: { quiz: 'quiz', to: 'audience', within: 'durations', valid: 'text', renew: 'durations' },
    isRead: true,
  },
  'list-campaigns': {
    line: '/quiz-campaign list {filter}',
    fields: { filter: 'text' },
    isRead: true,
  },
  'show-matrix': {
    line: '/quiz-campaign matrix {people}',
    fields: { people: 'audience', only: 'choice', csv: 'choice', page: 'text', columns: 'text' },
    isRead: true,
  },
  'export-matrix': {
    line: '/quiz-campaign matrix-csv {people}',
    fields: { people: 'audience', only: 'choice', csv: 'choice' },
    isRead: true,
  },
  'show-year': {
    line: '/quiz-campaign year {people}',
    fields: { people: 'audience', columns: 'text' },
    isRead: true,
  },
  'show-campaign': {
    line: '/quiz-campaign show {campaign}',
    fields: { campaign: 'campaign', page: 'text' },
    isRead: true,
  },
  'remind-campaign': {
    line: '/quiz-campaign remind {campaign} for {people}',
    fields: { campaign: 'campaigns', people: 'audience' },
  },
  'extend-campaign': {
    line: '/quiz-campaign extend {campaign} to {time}',
    fields: { campaign: 'campaign', time: 'text', was: 'text' },
  },
  'change-campaign': {
    line: '/quiz-campaign change {campaign} remind {remind}',
    fields: {
      campaign: 'campaign',
      within: 'durations',
      valid: 'text',
      counts: 'flags',
      renew: 'durations',
      remind: 'durations',
      overdue: 'durations',
      escalate: 'durations',
      complete: 'choice',
      board: 'board',
      due: 'text',
    },
    isRead: true,
  },
  'excuse-campaign': {
    line: '/quiz-campaign excuse {campaign} {people} because {because}',
    fields: { campaign: 'campaigns', people: 'users', until: 'text', because: 'text', was: 'text' },
  },
  'include-campaign': {
    line: '/quiz-campaign include {campaign} {people}',
    fields: { campaign: 'campaign', people: 'users', was: 'text' },
  },
  'hand-over-campaign': {
    line: '/quiz-campaign hand-over {campaign} to {to}',
    fields: { campaign: 'campaign', to: 'user', offer: 'text' },
  },
  'add-to-campaign': {
    line: '/quiz-campaign add {people} to {campaign}',
    fields: { people: 'audience', campaign: 'campaign', count: 'text' },
  },
  'take-in': { line: '/quiz-campaign take-in {campaign}', fields: { campaign: 'campaign' }, isRead: true },
  'end-campaign': { line: '/quiz-campaign end {campaign}', fields: { campaign: 'campaign' } },
  'report-campaign': {
    line: '/quiz-campaign report {campaign}',
    fields: { campaign: 'campaign', csv: 'choice' },
    isRead: true,
  },
  'send-evidence': {
    line: '/quiz-campaign evidence {campaign}',
    fields: { campaign: 'campaign', since: 'text', until: 'text' },
    isRead: true,
  },
  'reopen-preview': { line: '/quiz-admin reopen {plan}', fields: { plan: 'plan' }, isRead: true },
  'show-plan': { line: '/quiz-admin preview {plan}', fields: { plan: 'plan', page: 'text' }, isRead: true },
  'run-rule-change': { line: '/quiz-campaign change-rule {plan}', fields: { plan: 'plan' } },
  'run-campaign': { line: '/quiz-campaign run {plan}', fields: { plan: 'plan' } },
  'not-me': { line: '/quiz-campaign not-me {campaigns}', fields: { campaigns: 'text' }, isRead: true },
  'for-me': { line: '/quiz-campaign for-me {campaigns}', fields: { campaigns: 'text' }, isRead: true },
  'snooze-reminders': { line: '/quiz-campaign snooze {campaigns}', fields: { campaigns: 'text' }, isRead: true },
  'not-my-report': {
    line: '/quiz-campaign not-mine {user} in {campaigns}',
    fields: { user: 'text', campaigns: 'text' },
    isRead: true,
  },
  'my-report-after-all': {
    line: '/quiz-campaign mine-again {user} in {campaigns}',
    fields: { user: 'text', campaigns: 'text' },
    isRead: true,
  },
  'turn-messages': { line: '/quiz-admin messages {to}', fields: { to: 'choice' }, isRead: true },
  'choose-language': { line: '/quiz-admin language {language}', fields: { language: 'choice' }, isRead: true },
  'decide-request': {
    line: '/quiz-admin decide {request} as {verdict}',
    fields: { request: 'text', verdict: 'choice', isEntered: 'text', comment: 'text', inList: 'text' },
    isRead: true,
  },
  'withdraw-request': {
    line: '/quiz-admin withdraw {request}',
    fields: { request: 'text', inList: 'text' },
    isRead: true,
  },
  'list-requests': { line: '/quiz-admin approvals', fields: {}, isRead: true },
  'show-audit': { line: '/quiz-admin audit {filter}', fields: { filter: 'text' }, isRead: true },
  'show-status': { line: '/quiz-admin status', fields: {}, isRead: true },
  'erase-person': { line: '/quiz-admin erase {user}', fields: { user: 'user' } },
  'who-am-i': { line: '/quiz-admin whoami', fields: {}, isRead: true },
  'make-token': { line: '/quiz-admin token {name}', fields: { name: 'text' } },
  'list-tokens': { line: '/quiz-admin tokens', fields: {}, isRead: true },
  'list-lent-rights': { line: '/quiz-admin workflows', fields: {}, isRead: true },
  'revoke-lent-rights': { line: '/quiz-admin revoke-rights {grant}', fields: { grant: 'text' } },
  'show-undo': { line: '/quiz undo', fields: {}, isRead: true },
  'take-back-quiz': { line: '/quiz take-back {quiz}', fields: { quiz: 'quiz' } },
  'take-back-user': { line: '/quiz-user take-back {user}', fields: { user: 'user' } },
  'take-rights-back': { line: '/quiz-admin take-back {grant}', fields: { grant: 'text' } },
  'revoke-token': { line: '/quiz-admin revoke-token {name}', fields: { name: 'text' } },
};

export const reads = Object.keys(operations).filter((name) => operations[name]?.isRead);
export const writes = Object.keys(operations).filter((name) => !operations[name]?.isRead);
