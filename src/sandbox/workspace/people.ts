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

/** A person whose handle is their first name. Their e-mail address is that of the sample quiz account. */
function person<const Id extends string, const More extends Partial<Person>>(
  id: Id,
  realName: string,
  title: string,
  more?: More,
) {
  const name = realName.split(' ', 1)[0]!.toLowerCase();
  return { id, name, realName, title, email: `${name}@quiz.example`, timeZone: zone, ...(more as More) };
}

/** The sample people, by handle. */
export const people = {
  ada: person('U00000ADA', 'Ada Okafor', 'Administrator'),
  tom: person('U00000TOM', 'Tom Lindqvist', 'Trainer, all rights'),
  erin: person('U0000ERIN', 'Erin Castellanos', 'Trainer, edits quizzes'),
  uma: person('U00000UMA', 'Uma Devi', 'Trainer, manages users'),
  gus: person('U00000GUS', 'Gus Hartmann', 'Trainer, manages groups'),
  nora: person('U0000NORA', 'Nora Fields', 'Trainer, no rights', { fields: managedBy('U0000ERIN') }),
  sam: person('U00000SAM', 'Sam Petrov', 'Suspended trainer'),
  rosa: person('U0000ROSA', 'Rosa Almeida', 'Respondent', { fields: managedBy('U00000ZOE') }),
  ravi: person('U0000RAVI', 'Ravi Banerjee', 'Respondent', { fields: managedBy('U00000ZOE') }),
  katarzyna: person('U0000KATA', 'Katarzyna Nowak', 'Respondent in Warsaw', {
    timeZone: 'Europe/Warsaw',
    fields: managedBy('U0000DORA'),
  }),
  maya: person('U0000MAYA', 'Maya Goldberg', 'Respondent in New York, do not disturb from 8 pm', {
    timeZone: 'America/New_York',
    doNotDisturb: { from: '20:00', to: '08:00' },
    fields: managedBy('U0000LENA'),
  }),
  hana: person('U0000HANA', 'Hana Kobayashi', 'Respondent in Tokyo, do not disturb until 10 am', {
    timeZone: 'Asia/Tokyo',
    doNotDisturb: { from: '17:00', to: '10:00' },
    fields: { [profileFields.reportsTo.id]: 'U00000TOM' },
  }),
  lena: person('U0000LENA', 'Lena Visitor', 'Guest', {
    name: 'lena.visitor',
    email: 'lena.visitor@elsewhere.example',
    isGuest: true,
  }),
  zoe: person('U00000ZOE', 'Zoe Marsh', 'Not in the quiz account'),
  dora: person('U0000DORA', 'Dora Winter', 'Deactivated', { isDeleted: true }),
  aisha: person('U000AISHA', 'Aisha Rahman', 'Respondent, unconfirmed address', { isEmailConfirmed: false }),
  ivo: person('U00000IVO', 'Ivo Brandt', 'From another company, with Ada’s address', {
    email: 'ada@quiz.example',
    teamId: 'T0PARTNER',
    enterpriseId: 'E0PARTNER',
  }),
} satisfies Record<string, Person>;

const app = { email: '', isBot: true };

export const bot: Person = person(botUserId, 'Invigilator', 'App', app);
export const slackbot: Person = person('USLACKBOT', 'Slackbot', 'Slackbot', app);

/** A bot of another app. */
export const rota: Person = person('U00000ROTA', 'Rota', 'App by another vendor', app);

/** People who are in #kitchen and in no other channel. */
const kitchenOnly = new Set<string>([people.katarzyna.id, people.maya.id, people.hana.id]);
const everybody = Object.values<Person>(people)
  .filter(({ id, isDeleted, teamId: team }) => isDeleted !== true && team === undefined && !kitchenOnly.has(id))
  .map(({ id }) => id);
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
