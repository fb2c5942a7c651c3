import { userSchema, type User } from '../../src/quiz-api/records.ts';
import { createSeededRandom, type SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import type { WebClient } from '@slack/web-api';
import { Keyv } from 'keyv';
import { createPeople } from '../../src/slack/people/people.ts';

const firstNames = `Aaliyah Aarav Adam Agnieszka Ahmed Aisha Alejandro Alexander Alice Ana Andreas Andrzej Anna Antoine
Ayşe Beatriz Björn Camille Carlos Charlotte Chiara Chioma Chloé Daniel David Dimitra Elif Elena Emma Fatima François
Gabriel Giulia Grace Hana Hannah Hassan Ingrid Isabella Ivan Jamal James Jan João Johanna José Julia Jürgen Kateryna
Katarzyna Khadija Kwame Lars Laura Léa Liam Linh Łukasz Lucía Magdalena Maria Marie Mateo Maya Mehmet Mia Michael Mohamed
Nadia Ngozi Nguyệt Noah Nora Oksana Olivia Omar Paolo Pedro Piotr Priya Quynh Rachel Ravi Rosa Samuel Sara Siobhán Sofia
Søren Stefan Sven Teresa Thomas Tomáš Uma Valentina Wei Yara Yuki Yusuf Zoë Zuzana Анна Дмитрий 娜 伟 محمد فاطمة`.split(
  /\s+/,
);

const lastNames =
  `Abdi Adeyemi Ahmed Almeida Andersen Andersson Bakker Banerjee Bauer Benali Bianchi Brown Castellanos Chen
Cohen Costa Çelik Davies Demir Devi Dubois Dvořák Eriksson Evans Eze Fernández Ferreira Fields Fischer Fitzgerald García
Goldberg González Gruber Haddad Hansen Hartmann Hernández Hoffmann Horvat Hughes Ibrahim Ionescu Ivanov Jansen Johansson
Johnson Jones Kaya Keller Khan Kim Kobayashi Kovalenko Kowalski Kumar Larsen Lefèvre Lindqvist Lombardi López MacDonald
Martin Martínez Mensah Meyer Moreau Müller Murphy Nakamura Nguyễn Nielsen Novák Nowak Nunes O’Brien O’Leary Okafor Okonkwo
Ólafsson Olsen Papadopoulos Patel Pereira Petrov Popescu Rahman Ricci Richter Rodríguez Rossi Sánchez Santos Schmidt
Schneider Shevchenko Silva Singh Smith Suzuki Svensson Szabó Tanaka Taylor Tran Turner Ünal Vasquez Virtanen Wagner
Walker Wang Washington Weber Williams Wiśniewski Wójcik Wright Yamamoto Yıldız Zhang Zieliński Петренко 李 王 الحسن`.split(
    /\s+/,
  );

const domains = [
  'kitchen.example',
  'northern-hospitals.example',
  'school.example',
  'mail.example',
  'logistics.example',
];

/**
 * Users as the API client returns them, the same for the same count. Many share a first name, a last name or both, and
 * some names are far more common than others.
 */
export function sampleUsers(count: number): User[] {
  const random = createSeededRandom(2026);
  return Array.from({ length: count }, (_, index) =>
    userSchema.parse(JSON.parse(JSON.stringify(sampleUser(index, random)))),
  );
}

function sampleUser(index: number, random: SeededRandom): object {
  const first = pickCommon(firstNames, random);
  const last = lastName(random);
  const address = `${addressPart(first)}.${addressPart(last)}${index}@${random.pick(domains)}`;
  return {
    user_id: random.id(),
    user_name: random.number() < 0.7 ? address : `${addressPart(first).slice(0, 1)}${addressPart(last)}${index}`,
    user_type: 'respondent',
    email_address: address,
    first_name: first,
    last_name: last,
    time_zone: 'UTC',
    quizzes: [{ quiz_id: random.id(), name: 'Fire safety', date_assigned: '2026-01-02 00:00:00' }],
    date_created: '2026-01-01 00:00:00',
  };
}

function lastName(random: SeededRandom): string {
  const name = pickCommon(lastNames, random);
  return random.number() < 0.15 ? `${name}-${pickCommon(lastNames, random)}` : name;
}

/** Picks names at the start of the list more often. */
const pickCommon = (names: readonly string[], random: SeededRandom): string =>
  names[Math.floor(names.length * random.number() ** 1.5)] ?? '';

const addressPart = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z-]/g, '') || 'user';

/** The id and the names of a user, as a name index takes them. */
export const userKeys = {
  id: (user: User) => user.user_id,
  names: (user: User) => [`${user.first_name} ${user.last_name}`, user.user_name, user.email_address],
};

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');

/** Typing errors, each at a random position in the name. */
export const typos: Readonly<Record<string, (name: string, random: SeededRandom) => string>> = {
  'two letters swapped': (name, random) => {
    const at = random.between(0, name.length - 2);
    return name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2);
  },
  'a letter dropped': (name, random) => {
    const at = random.between(0, name.length - 1);
    return name.slice(0, at) + name.slice(at + 1);
  },
  'a letter doubled': (name, random) => {
    const at = random.between(0, name.length - 1);
    return name.slice(0, at + 1) + name.slice(at);
  },
  'a wrong letter': (name, random) => {
    const at = random.between(0, name.length - 1);
    return name.slice(0, at) + random.pick(letters) + name.slice(at + 1);
  },
};

type Deps = Parameters<typeof createPeople>[0];

/** The people of a Slack, with what is kept of them in memory unless given. */
export function peopleOf(client: WebClient, deps: Partial<Deps> & Pick<Deps, 'now'>) {
  return createPeople({
    client,
    kept: new Keyv(),
    locales: new Keyv(),
    own: async () => ({ teamId: 'T1', enterpriseId: undefined }),
    teamId: async () => 'T1',
    sleep: async () => {},
    ...deps,
  });
}
