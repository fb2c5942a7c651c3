import { respondents, type SamplePeople, type SamplePerson, staff } from '../../quiz-service/sample/people.ts';
import type { Person } from '../../workspace/model.ts';
import { people } from '../../workspace/people.ts';

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
export const accountPeople: SamplePeople = { staff: staff.map(renamed), respondents: respondents.map(renamed) };

/** The people of the workspace, with the IDs of the usual sample: a bot that mixes up workspaces mixes up people. */
export const workspacePeople: readonly Person[] = Object.values<Person>(people).map((person) => {
  const name = names[person.name];
  return {
    ...person,
    email: addressFor(person.email),
    title: person.title.replace('Ada’s', 'Helen’s'),
    ...(name !== undefined && { name: handleOf(name), realName: name }),
  };
});
