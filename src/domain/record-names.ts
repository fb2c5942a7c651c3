import { isBlank, shortName } from './said.ts';

/** A person who took a quiz, with the answers of the registration form. */
interface Respondent {
  first_name: string;
  last_name: string;
  registration_fields?: readonly { name: string; value: string }[];
}

/** The name of a respondent who left none. */
export const guestName = 'Guest';

/**
 * Labels of registration fields that hold a name, in lower case without punctuation. Administrators write the labels
 * themselves; these are the usual ones in the languages of the service's sites.
 */
const fullNameLabels = inList(`
  name, full name, fullname, your name, respondent name, participant name, student name, employee name,
  first and last name, name and surname, nombre completo, nombre y apellidos, nom complet, nom et prénom,
  vollständiger name, vor und nachname, vorname und nachname, nome completo, nome e cognome, volledige naam, naam,
  imię i nazwisko
`);
const firstNameLabels = inList(`
  first name, firstname, given name, forename, vorname, nombre, prénom, nome, voornaam, imię
`);
const lastNameLabels = inList(`
  last name, lastname, surname, family name, nachname, familienname, apellido, apellidos, nom, nom de famille,
  cognome, sobrenome, apelido, achternaam, nazwisko
`);

/**
 * The name of a person who took a quiz; never empty, and never an e-mail address, since alerts show it in channels. People
 * who come by a quiz link may have a name in the registration form alone.
 */
export function respondentName({ first_name, last_name, registration_fields = [] }: Respondent): string {
  const registered = (labels: readonly string[]) =>
    withoutAddress(registration_fields.find(({ name }) => labels.includes(plainLabel(name)))?.value ?? '');
  return (
    nameWithoutAddresses(first_name, last_name) ||
    registered(fullNameLabels) ||
    joined(registered(firstNameLabels), registered(lastNameLabels)) ||
    guestName
  );
}

/** First and last name without what holds an e-mail address. */
export function nameWithoutAddresses(first: string, last: string): string {
  return joined(withoutAddress(first), withoutAddress(last));
}

/** The name of a respondent on one line of at most `most` UTF-16 units. */
export function shortRespondentName(respondent: Respondent, most?: number): string {
  const name = shortName(respondentName(respondent), most);
  return isBlank(name) ? guestName : name;
}

function joined(first: string, last: string): string {
  return `${first} ${last}`.trim();
}

function withoutAddress(name: string): string {
  return /\S@\S/.test(name) ? '' : name.trim();
}

function inList(labels: string): string[] {
  return labels.split(',').map((label) => label.trim());
}

function plainLabel(label: string): string {
  return label
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}]+/gu, ' ')
    .trim();
}

/** What can be without a name in the account, in the words of the service. */
type RecordKind =
  | 'quiz'
  | 'group'
  | 'user'
  | 'person'
  | 'question'
  | 'option'
  | 'category'
  | 'field'
  | 'file'
  | 'token';

/** The name of a record; of one without a name what it is and its ID, such as `Unnamed quiz 3f2a9c1e`. Never blank. */
export function nameOrId(kind: RecordKind, name: string, id = ''): string {
  if (!isBlank(name)) return name;
  return isBlank(id) ? `Unnamed ${kind}` : `Unnamed ${kind} ${id}`;
}

/** Sorts names, with those that end in a number in its order. */
export const byName = new Intl.Collator('en', { numeric: true }).compare;
