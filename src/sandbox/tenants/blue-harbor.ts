import type { QuizServiceOptions } from '../quiz-service/service.ts';
import type { WorkspaceOptions } from '../workspace/workspace.ts';
import { respondents, type SamplePeople, type SamplePerson, staff } from '../quiz-service/sample/people.ts';
import type { Person } from '../workspace/model.ts';
import { people } from '../workspace/people.ts';
import { choose, right, type SampleQuiz, several, typeIn, wrong, yesOrNo } from '../quiz-service/sample/quizzes.ts';

/** The quizzes of Blue Harbor Hotels. */
export const quizzes: readonly SampleQuiz[] = [
  {
    name: 'Fire drill for guest floors',
    status: 'open',
    ageDays: 280,
    settings: { passMark: 70, hasCertificate: true, hasReport: true },
    questions: [
      choose(
        'The alarm sounds while you clean a room. What do you do first?',
        'Leave, and close the door behind you',
        'Finish the bed',
        'Call the front desk',
      ),
      yesOrNo('Guests may take the lift during an evacuation.', false),
      several(
        2,
        'What do you check on a guest floor each day?',
        right('Escape routes are clear'),
        right('Fire doors close'),
        wrong('The minibar is locked'),
      ),
      typeIn(1, 'At which meeting point do guests gather? Its letter is on the plan in each room.', right('B')),
    ],
  },
  {
    name: 'Allergens at breakfast',
    status: 'open',
    ageDays: 160,
    settings: { passMark: 80, attemptsLimit: 3 },
    questions: [
      several(
        3,
        'Which of these must be named on the buffet?',
        right('Nuts'),
        right('Milk'),
        right('Sesame'),
        wrong('Sugar'),
      ),
      choose(
        'A guest asks whether the granola has nuts, and you are not sure. What do you say?',
        'That you will ask the kitchen',
        'That it has none',
        'That they should try it',
      ),
    ],
  },
  {
    name: 'Guest privacy',
    status: 'open',
    ageDays: 90,
    settings: { passMark: 60 },
    questions: [
      choose(
        'A caller asks for the room number of a guest. What do you do?',
        'Connect the call without naming the room',
        'Name the room',
        'Hang up',
      ),
      yesOrNo('A lost key card is blocked at once.', true),
    ],
  },
  {
    name: 'Pool rescue, last season',
    status: 'closed',
    ageDays: 330,
    settings: { passMark: 80, hasCertificate: true },
    questions: [
      choose('Who may open the pool?', 'The lifeguard on duty', 'Any colleague', 'The first guest'),
      yesOrNo('The rescue hook hangs within reach of the water.', true),
    ],
  },
  {
    name: 'Welcoming guests',
    status: 'in_design',
    ageDays: 8,
    settings: { passMark: 50 },
    questions: [yesOrNo('A guest who waits is greeted within a minute.', true)],
  },
];

/** The people of Blue Harbor Hotels, by the first part of the address that their counterpart in the usual sample has. */
const names: Readonly<Record<string, string>> = {
  ada: 'Helen Murray',
  tom: 'Marco Bellini',
  erin: 'Ingrid Solberg',
  uma: 'Leila Haddad',
  gus: 'Otto Reinholt',
  nora: 'Paula Estrada',
  sam: 'Viktor Dvorak',
  rosa: 'Amélie Laurent',
  ravi: 'Kofi Mensah',
  aisha: 'Yara Saleh',
  'bjorn.olafsson': 'Stefan Krause',
  chiara: 'Lucia Ferrari',
  chioma: 'Grace Okonkwo',
  daniel: 'Conor Byrne',
  elif: 'Zeynep Aydin',
  fatima: 'Salma Idrissi',
  gabriel: 'Diego Ramos',
  hana: 'Yuki Tanaka',
  ivan: 'Luka Babić',
  jamal: 'Andre Coleman',
  katarzyna: 'Magda Zielińska',
  liam: 'Isla Campbell',
  maya: 'Rachel Stein',
  'noah.vandijk': 'Bram de Vries',
  oksana: 'Daryna Melnyk',
  pedro: 'Camila Vargas',
  quynh: 'Linh Pham',
  'samuel.adeyemi': 'Tunde Balogun',
  teresa: 'Ewa Mazur',
  zoe: 'Philippa Grant',
  dora: 'Edith Sommer',
};

const handleOf = (name: string): string =>
  name.split(' ', 1)[0]!.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');

const nameOf = (address: string): string | undefined => names[address.split('@', 1)[0]!];

/** What replaces an address of the usual sample. Others stay. */
const addressFor = (address: string): string => {
  const name = nameOf(address);
  return name === undefined ? address : `${handleOf(name)}@blueharbor.example`;
};

function renamed(person: SamplePerson): SamplePerson {
  const { email_address: given = person.user_name, organization = '' } = person;
  const address = addressFor(given);
  const [first_name = '', ...rest] = (nameOf(given) ?? '').split(' ');
  return {
    ...person,
    user_name: address,
    email_address: address,
    first_name,
    last_name: rest.join(' '),
    organization: { 'Quiz Example Ltd': 'Blue Harbor Hotels', Warehouse: 'Housekeeping' }[organization] ?? organization,
  };
}

/** The people of the quiz account. */
const accountPeople: SamplePeople = { staff: staff.map(renamed), respondents: respondents.map(renamed) };

/** The people of the workspace, with the IDs of the usual sample: a bot that mixes up workspaces mixes up people. */
const workspacePeople: readonly Person[] = Object.values<Person>(people).map((person) => {
  const name = names[person.name];
  return {
    ...person,
    email: addressFor(person.email),
    title: person.title.replace('Ada’s', 'Helen’s'),
    ...(name !== undefined && { name: handleOf(name), realName: name }),
  };
});

/** What one tenant of the sandbox has that the others have not. */
export interface TenantSample {
  /** As in the file of tenants. Undefined for a bot of its own, which needs no file. */
  name?: string;
  /** Variables of its bot. */
  names?: { COMMAND_PREFIX: string; BOT_NAME: string };
  workspace?: Pick<WorkspaceOptions, 'teamName' | 'people'>;
  quizService?: Pick<QuizServiceOptions, 'quizzes' | 'people' | 'sampleSeed'>;
}

/** The first has the people and quizzes of the usual sandbox. */
export const tenantSamples: readonly TenantSample[] = [
  { name: 'northwind', workspace: { teamName: 'Northwind Training' } },
  {
    name: 'blue-harbor',
    names: { COMMAND_PREFIX: 'exam', BOT_NAME: 'Examiner' },
    workspace: { teamName: 'Blue Harbor Hotels', people: workspacePeople },
    quizService: { quizzes, people: accountPeople, sampleSeed: 20_260_403 },
  },
];
