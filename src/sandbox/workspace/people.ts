import type { Channel, Person, ProfileField, UserGroup } from './model.ts';

export const teamId = 'T0SANDBOX';
export const teamDomain = 'sandbox';
export const teamName = 'Sandbox workspace';
export const appId = 'A0INVIGIL8R';
export const botId = 'B0INVIGIL8R';
export const botUserId = 'U0INVIGIL8R';

const zone = 'Etc/UTC';

/** The sample fields of profiles. People choose the second themselves. */
export const profileFields = {
  manager: { id: 'Xf0MANAGER', label: 'Manager', type: 'user', isProtected: true },
  reportsTo: { id: 'Xf0REPORTSTO', label: 'Reports to', type: 'user' },
  location: { id: 'Xf0LOCATION', label: 'Location', type: 'text', isScim: true },
} as const satisfies Record<string, ProfileField>;

const managedBy = (personId: string) => ({ [profileFields.manager.id]: personId });

/** The sample people, by handle. Their e-mail addresses match those of the sample quiz account. */
export const people = {
  ada: {
    id: 'U00000ADA',
    name: 'ada',
    realName: 'Ada Okafor',
    title: 'Administrator',
    email: 'ada@quiz.example',
    timeZone: zone,
  },
  tom: {
    id: 'U00000TOM',
    name: 'tom',
    realName: 'Tom Lindqvist',
    title: 'Trainer, all rights',
    email: 'tom@quiz.example',
    timeZone: zone,
  },
  erin: {
    id: 'U0000ERIN',
    name: 'erin',
    realName: 'Erin Castellanos',
    title: 'Trainer, edits quizzes',
    email: 'erin@quiz.example',
    timeZone: zone,
  },
  uma: {
    id: 'U00000UMA',
    name: 'uma',
    realName: 'Uma Devi',
    title: 'Trainer, manages users',
    email: 'uma@quiz.example',
    timeZone: zone,
  },
  gus: {
    id: 'U00000GUS',
    name: 'gus',
    realName: 'Gus Hartmann',
    title: 'Trainer, manages groups',
    email: 'gus@quiz.example',
    timeZone: zone,
  },
  nora: {
    id: 'U0000NORA',
    name: 'nora',
    realName: 'Nora Fields',
    title: 'Trainer, no rights',
    email: 'nora@quiz.example',
    timeZone: zone,
    fields: managedBy('U0000ERIN'),
  },
  sam: {
    id: 'U00000SAM',
    name: 'sam',
    realName: 'Sam Petrov',
    title: 'Suspended trainer',
    email: 'sam@quiz.example',
    timeZone: zone,
  },
  rosa: {
    id: 'U0000ROSA',
    name: 'rosa',
    realName: 'Rosa Almeida',
    title: 'Respondent',
    email: 'rosa@quiz.example',
    timeZone: zone,
    fields: managedBy('U00000ZOE'),
  },
  ravi: {
    id: 'U0000RAVI',
    name: 'ravi',
    realName: 'Ravi Banerjee',
    title: 'Respondent',
    email: 'ravi@quiz.example',
    timeZone: zone,
    fields: managedBy('U00000ZOE'),
  },
  katarzyna: {
    id: 'U0000KATA',
    name: 'katarzyna',
    realName: 'Katarzyna Nowak',
    title: 'Respondent in Warsaw',
    email: 'katarzyna@quiz.example',
    timeZone: 'Europe/Warsaw',
    fields: managedBy('U0000DORA'),
  },
  maya: {
    id: 'U0000MAYA',
    name: 'maya',
    realName: 'Maya Goldberg',
    title: 'Respondent in New York, do not disturb from 8 pm',
    email: 'maya@quiz.example',
    timeZone: 'America/New_York',
    doNotDisturb: { from: '20:00', to: '08:00' },
    fields: managedBy('U0000LENA'),
  },
  hana: {
    id: 'U0000HANA',
    name: 'hana',
    realName: 'Hana Kobayashi',
    title: 'Respondent in Tokyo, do not disturb until 10 am',
    email: 'hana@quiz.example',
    timeZone: 'Asia/Tokyo',
    doNotDisturb: { from: '17:00', to: '10:00' },
    fields: { [profileFields.reportsTo.id]: 'U00000TOM' },
  },
  lena: {
    id: 'U0000LENA',
    name: 'lena.visitor',
    realName: 'Lena Visitor',
    title: 'Guest',
    email: 'lena.visitor@elsewhere.example',
    timeZone: zone,
    isGuest: true,
  },
  zoe: {
    id: 'U00000ZOE',
    name: 'zoe',
    realName: 'Zoe Marsh',
    title: 'Not in the quiz account',
    email: 'zoe@quiz.example',
    timeZone: zone,
  },
  dora: {
    id: 'U0000DORA',
    name: 'dora',
    realName: 'Dora Winter',
    title: 'Deactivated',
    email: 'dora@quiz.example',
    timeZone: zone,
    isDeleted: true,
  },
  aisha: {
    id: 'U000AISHA',
    name: 'aisha',
    realName: 'Aisha Rahman',
    title: 'Respondent, unconfirmed address',
    email: 'aisha@quiz.example',
    timeZone: zone,
    isEmailConfirmed: false,
  },
  ivo: {
    id: 'U00000IVO',
    name: 'ivo',
    realName: 'Ivo Brandt',
    title: 'From another company, with Ada’s address',
    email: 'ada@quiz.example',
    timeZone: zone,
    teamId: 'T0PARTNER',
    enterpriseId: 'E0PARTNER',
  },
} as const satisfies Record<string, Person>;

export const bot: Person = {
  id: botUserId,
  name: 'invigilator',
  realName: 'Invigilator',
  title: 'App',
  email: '',
  timeZone: zone,
  isBot: true,
};
export const slackbot: Person = {
  id: 'USLACKBOT',
  name: 'slackbot',
  realName: 'Slackbot',
  title: 'Slackbot',
  email: '',
  timeZone: zone,
  isBot: true,
};

/** A bot of another app. */
export const rota: Person = {
  id: 'U00000ROTA',
  name: 'rota',
  realName: 'Rota',
  title: 'App by another vendor',
  email: '',
  timeZone: zone,
  isBot: true,
};

/** People who are in #kitchen and in no other channel. */
const kitchenOnly = new Set<string>([people.katarzyna.id, people.maya.id, people.hana.id]);
const everybody = Object.values<Person>(people)
  .filter((person) => person.isDeleted !== true && person.teamId === undefined && !kitchenOnly.has(person.id))
  .map((person) => person.id);
const members = everybody.filter((id) => id !== people.lena.id);

/** The sample channels. Direct messages with the bot are created on first use. */
export const channels = {
  results: {
    id: 'C0QUIZRESULTS',
    name: 'quiz-results',
    kind: 'public',
    members: [...everybody, botUserId],
    topic: 'Quiz results',
  },
  training: {
    id: 'C0TRAINING',
    name: 'training',
    kind: 'public',
    members: [...everybody, rota.id, botUserId],
    topic: 'Courses and questions',
  },
  kitchen: {
    id: 'C0KITCHEN',
    name: 'kitchen',
    kind: 'public',
    members: [
      people.ada.id,
      people.tom.id,
      people.uma.id,
      people.rosa.id,
      people.ravi.id,
      ...kitchenOnly,
      people.zoe.id,
      people.lena.id,
      botUserId,
    ],
    topic: 'Warsaw, New York, Tokyo',
  },
  general: { id: 'C0GENERAL', name: 'general', kind: 'public', members, topic: 'The bot isn’t a member' },
  leads: {
    id: 'G0LEADS',
    name: 'training-leads',
    kind: 'private',
    members: [people.ada.id, people.tom.id, people.uma.id, botUserId],
    topic: 'Approvals and audit',
  },
  archived: {
    id: 'C0ARCHIVED',
    name: 'old-results',
    kind: 'public',
    members: [...members, botUserId],
    topic: 'Archived last year',
    isArchived: true,
  },
  partners: {
    id: 'C0PARTNERS',
    name: 'partners',
    kind: 'public',
    members: [people.ada.id, people.tom.id, people.erin.id, people.ivo.id, botUserId],
    topic: 'Shared with another company',
    sharedWith: [{ id: 'T0PARTNER', name: 'Partner Training' }],
  },
} as const satisfies Record<string, Channel | { members: readonly string[] }>;

/** The sample user groups: https://slack.com/help/articles/212906697 */
export const userGroups = {
  kitchen: {
    id: 'S0KITCHEN',
    handle: 'kitchen-team',
    name: 'Kitchen team',
    members: [people.rosa.id, people.ravi.id, people.zoe.id, people.dora.id],
  },
  winter: { id: 'S0WINTER', handle: 'winter-crew', name: 'Winter crew', members: [people.rosa.id], isDisabled: true },
} as const satisfies Record<string, UserGroup>;
