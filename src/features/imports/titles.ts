import { say } from '../../domain/said.ts';
import { mailIn, readingsOf } from './title-words.ts';

/** What a column can hold. */
export type Column =
  | 'first_name'
  | 'last_name_prefix'
  | 'last_name'
  | 'second_last_name'
  | 'name'
  | 'name_last_first'
  | 'email_address'
  | 'user_name'
  | 'groups'
  | 'quizzes'
  | 'user_type'
  | 'flags'
  | 'edit_quizzes'
  | 'manage_users'
  | 'manage_groups';

/** What a title says, or with rank 0 a person. Of several columns for the same thing, the one with the lowest rank holds it. */
export interface Meaning {
  column: Column;
  rank: 0 | 1 | 2 | 3;
  /** It is one part of a name where another column has the other part. */
  isPartOrWhole?: true;
}

/** Titles in plain words, in the languages of the HR tools that people export from. */
const titles: Readonly<Record<Exclude<Column, 'email_address'>, string>> = {
  first_name: `first name|firstname|first|first names|given name|given names|givenname|forename|forenames|fname|legal first name|
    legal name first name|first name legal|vorname|vornamen|vorna|prenom|prenoms|nombres|nombre de pila|primer nombre|voornaam|
    voornamen|nome proprio|primeiro nome|nome proprio s|imie|imiona|pierwsze imie`,
  last_name_prefix: `last name prefix|tussenvoegsel|tussenvoegsels|voorvoegsel|voorvoegsels|namenszusatz|namensvorsatz|vorsatzwort|infix`,
  last_name: `last name|lastname|last|last names|surname|surnames|family name|familyname|lname|legal last name|legal name last name|
    last name legal|nachname|nachnamen|familienname|zuname|nachn|nom de famille|nom d usage|nom usuel|apellido|apellidos|
    primer apellido|apellido 1|apellido paterno|achternaam|familienaam|geslachtsnaam|cognome|cognomi|sobrenome|apelido|apelidos|
    ultimo nome|nome de familia|nazwisko|nazwiska`,
  second_last_name: `second last name|second surname|segundo apellido|apellido 2|apellido materno|segundo sobrenome`,
  name: `full name|fullname|complete name|real name|employee name|worker name|legal name|legal full name|
    legal name in general display format|first and last name|first name last name|vollstandiger name|vor und nachname|
    vorname und nachname|vorname nachname|vorname name|mitarbeitername|nom complet|prenom et nom|prenom nom|nombre completo|
    nombre y apellidos|nombre y apellido|nombre apellidos|nombre apellido|volledige naam|voornaam en achternaam|
    voornaam achternaam|nome completo|nome e cognome|nome cognome|nominativo|nome e sobrenome|nome e apelido|imie i nazwisko|
    imie nazwisko`,
  name_last_first: `last name first name|lastname firstname|last first|surname first name|surname forename|family name given name|payroll name|nachname vorname|name vorname|
    familienname vorname|nom prenom|nom et prenom|noms et prenoms|apellidos nombre|apellidos y nombre|apellidos y nombres|
    apellidos nombres|cognome nome|cognome e nome|achternaam voornaam|nazwisko imie|nazwisko i imie|sname`,
  user_name: `user name|username|login|login name|logon name|sign in name|user principal name|upn|account name|benutzername|
    anmeldename|benutzerkennung|kennung|nutzername|benutzer|identifiant|identifiant de connexion|nom d utilisateur|
    nombre de usuario|usuario|gebruikersnaam|inlognaam|nome utente|nome de usuario|nome de utilizador|utilizador|
    nazwa uzytkownika|login uzytkownika`,
  groups: `groups|group|group name|group names|user group|user groups|quiz group|quiz groups|gruppe|gruppen|benutzergruppe|
    benutzergruppen|groupe|groupes|grupo|grupos|groep|groepen|gruppo|gruppi|grupa|grupy`,
  quizzes: `quizzes|quiz|quiz name|quiz names|assigned quiz|assigned quizzes|quizze`,
  user_type: `type|user type|usertype|account type|quiz user type|benutzertyp|nutzertyp|type d utilisateur|tipo de usuario|
    tipo de utilizador|tipo utente|tipo di utente|gebruikerstype|typ uzytkownika`,
  flags: `rights|flags|permissions|user rights|benutzerrechte`,
  edit_quizzes: `edit quizzes|can edit quizzes|right to edit quizzes`,
  manage_users: `manage users|can manage users|right to manage users`,
  manage_groups: `manage groups|can manage groups|right to manage groups`,
};

/** Used only where no column has a title of the lists above. */
const second: Partial<Record<Column, string>> = {
  first_name: `preferred first name|preferred name|preferred name first name|preferred given name|known as|rufname|
    prenom usuel|prenom d usage|roepnaam|nome social|nombre preferido`,
  last_name: `preferred last name|preferred name last name|nom de naissance|geburtsname`,
  name: `display name|displayname|preferred full name|anzeigename|nom affiche|nombre para mostrar|weergavenaam|
    nome visualizzato|nome de exibicao|nazwa wyswietlana|ename|formatted name|worker|employee|learner|student|participant|attendee|teilnehmer|teilnehmerin|mitarbeiter|mitarbeiterin|
    salarie|collaborateur|empleado|trabajador|medewerker|werknemer|dipendente|colaborador|funcionario|pracownik`,
};

/** Titles that mean the whole name, or the part of it that no other column has. */
const partsOrWhole = new Set(['name', 'names', 'nom', 'noms', 'nombre', 'nome', 'naam', 'nazwa']);

const meaningByTitle: ReadonlyMap<string, Meaning> = new Map([
  ...meanings(titles, 1),
  ...meanings(second, 2),
  ...[...partsOrWhole].map((title) => [title, { column: 'name', rank: 1, isPartOrWhole: true }] as const),
]);

function meanings(lists: Partial<Record<Column, string>>, rank: Meaning['rank']): [string, Meaning][] {
  return Object.entries(lists).flatMap(([column, list]) =>
    list.split('|').map((title): [string, Meaning] => [title.trim(), { column: column as Column, rank }]),
  );
}

/** What the bot calls what a column holds, within a sentence. */
export const columnWords: Readonly<Record<Column, string>> = {
  first_name: say`the first name`,
  last_name_prefix: say`the last name prefix`,
  last_name: say`the last name`,
  second_last_name: say`the second last name`,
  name: say`the full name`,
  name_last_first: say`the full name, last name first`,
  email_address: say`the e-mail address`,
  user_name: say`the user name`,
  groups: say`the groups`,
  quizzes: say`the quizzes`,
  user_type: say`the type`,
  flags: say`the rights`,
  edit_quizzes: say`the right to edit quizzes`,
  manage_users: say`the right to manage users`,
  manage_groups: say`the right to manage groups`,
};

/** What a column with this title holds; undefined where the title says nothing to the bot. */
export function meaningOf(title: string): Meaning | undefined {
  const known = readingsOf(title)
    .map((reading) => meaningByTitle.get(reading))
    .find((meaning) => meaning !== undefined);
  if (known) return known;
  const mail = mailIn(title);
  return mail && { column: 'email_address', rank: mail === 'work' ? 1 : 3 };
}
