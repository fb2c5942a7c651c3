import { say, named } from '../../domain/said.ts';
import { plainName } from '../../directory/names.ts';
import { meansOneOf } from '../../operations/other-words/meanings.ts';

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
const preferred: Partial<Record<Column, string>> = {
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
  ...meanings(preferred, 2),
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

/** A title in plain words: `givenName`, `E-Mail-Adresse` and `first_name` as “given name”, “e mail adresse”, “first name”. */
export function plainTitle(title: string): string {
  return plainName(title.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * The ways to read a title: with what it has in brackets, such as “(geschäftlich)”, as the order that brackets name, such as
 * “(Nachname, Vorname)”, and without, such as “[Required]”.
 */
function readingsOf(title: string): string[] {
  const bare = plainTitle(title.replaceAll(/[([{].{0,40}[)\]}]/gu, ' '));
  const [, order = ''] = /[([{]([^()[\]{}]{1,40},[^()[\]{}]{1,40})[)\]}]/u.exec(title) ?? [];
  return [
    ...new Set([plainTitle(title), plainTitle(order), bare].flatMap((words) => [words, ...withoutQualifiers(words)])),
  ].filter(Boolean);
}

/** Words that say only whose the column is, or that it must not be empty. */
const qualifiers = new Set(
  `employee emp worker user staff person member learner student trainee participant attendee required optional mandatory
  mitarbeiter mitarbeiters mitarbeiterin mitarbeitende mitarbeitenden person pflichtfeld
  salarie collaborateur employe obligatoire empleado empleada trabajador obligatorio
  medewerker werknemer verplicht dipendente obbligatorio colaborador funcionario
  pracownik pracownika wymagane del de du des do di la le der van`.split(/\s+/),
);

/** Without those behind it, then without those before it: “user name required” is “user name”. */
function withoutQualifiers(words: string): string[] {
  const all = words.split(' ');
  const first = all.findIndex((word) => !qualifiers.has(word));
  const last = all.findLastIndex((word) => !qualifiers.has(word));
  return first === -1 ? [] : [all.slice(0, last + 1).join(' '), all.slice(first, last + 1).join(' ')];
}

const mailWords = new Set(
  `email emails mail mails courriel correo poczta smtp emailadresse mailadresse emailadres mailadres epost`.split(
    /\s+/,
  ),
);
/** Words beside “e-mail” that change nothing. */
const mailFillers = new Set(
  `address addresses adresse adressen adres adresa adresy adresu direccion endereco indirizzo electronico electronica
  electronique elettronica elettronico eletronico elektroniczna elektroniczny posta id e de di da do del des der contact kontakt
  contacto primary main principal principale primaria primario haupt official login user employee emp worker learner student participant mitarbeiter
  medewerker empleado salarie dipendente colaborador pracownika required obligatoire obligatorio verplicht 1`.split(
    /\s+/,
  ),
);
const workWords = new Set(
  `work business company office corporate geschaftlich geschaeftlich dienst dienstlich arbeit beruflich firma firmen buro
  professionnel professionnelle pro travail entreprise bureau trabajo corporativo corporativa laboral empresa profesional
  empresarial zakelijk zakelijke werk kantoor aziendale lavoro ufficio professionale trabalho profissional institucional
  sluzbowy sluzbowa firmowy firmowa praca pracy`.split(/\s+/),
);
const privateWords = new Set(
  `private personal home privat private privee prive personnel personnelle perso particular privado privada privata privato
  persoonlijk prive thuis personale pessoal particular prywatny prywatna osobisty domowy
  secondary alternate alternative other recovery sekundar zweite secundario secundaria alternatif 2`.split(/\s+/),
);

/** Which e-mail addresses a column with this title holds; undefined: none of the person’s own. */
function mailIn(title: string): 'work' | 'private' | undefined {
  for (const reading of readingsOf(title)) {
    const words = reading.replaceAll(/\be mails?\b/g, 'email').split(' ');
    const others = words.filter((word) => !mailWords.has(word));
    if (others.length === words.length && !/\b(?:posta elettronica|adresse electronique)\b/.test(reading)) continue;
    const known = others.every((word) => mailFillers.has(word) || workWords.has(word) || privateWords.has(word));
    if (known) return others.some((word) => privateWords.has(word)) ? 'private' : 'work';
  }
  return undefined;
}

const secretTitle =
  /password|passwort|kennwort|losungswort|passcode|passphrase|passwd|wachtwoord|contrasen|\bsenha|palavra passe|\bhaslo|mot de passe|\bmdp\b|parola (?:d ordine|chiave)|palabra clave|\bclave\b|\bpwd\b|\bpw\b|\bpin\b|\bpuk\b|secret\b|geheim|\btoken\b|api key|credential|zugangsdaten/;

/** Whether a column with this title holds passwords or the like, in the languages of the other titles. */
export function isSecretTitle(title: string): boolean {
  return secretTitle.test(plainTitle(title));
}

const jobTitles = new Set(
  `role|roles|job|job title|jobtitle|title|business title|position|position title|job profile|job family|function|
  rolle|rollen|funktion|stelle|stellenbezeichnung|berufsbezeichnung|beruf|tatigkeit|jobtitel|positionsbezeichnung|
  fonction|poste|intitule du poste|intitule de poste|emploi|role principal|puesto|puesto de trabajo|cargo|funcion|rol|categoria|
  functie|functietitel|beroep|ruolo|mansione|qualifica|funcao|titulo|stanowisko|rola|funkcja`
    .split('|')
    .map((title) => title.trim()),
);

/** Whether a column with this title holds what people do, and not what they may do. */
export function isJobTitle(title: string): boolean {
  return readingsOf(title).some((reading) => jobTitles.has(reading));
}

/** Words in titles of columns that hold no name, though some of their cells look like one. */
const otherThings =
  /\b(?:department|dept|division|team|location|site|office|city|town|state|country|region|street|address|company|entity|manager|supervisor|status|gender|sex|nationality|language|locale|time zone|timezone|contract|shift|cost|abteilung|bereich|standort|ort|stadt|land|strasse|firma|vorgesetzter?|vorgesetzte|geschlecht|sprache|kostenstelle|schicht|vertrag|anrede|beschaftigungsart|service|departement|etablissement|ville|pays|rue|entreprise|societe|responsable|sexe|langue|contrat|departamento|centro|ciudad|pais|calle|empresa|jefe|genero|idioma|turno|afdeling|vestiging|plaats|stad|straat|bedrijf|leidinggevende|geslacht|taal|reparto|sede|citta|paese|azienda|societa|responsabile|sesso|lingua|filial|cidade|rua|gestor|equipe|turno|dzial|miasto|kraj|ulica|przelozony|plec|jezyk|civilite|tratamiento|salutation)\b/;

/** Whether a column with this title can hold names, as far as the title says. */
export function mayHoldNames(title: string): boolean {
  const words = plainTitle(title);
  return !otherThings.test(words) && !isJobTitle(title);
}

/**
 * A column that says who is no user any more, or no member of the staff. `status`: in a word. `gone`: by yes, a day or a word.
 * `here`: by no. `last day`: by a day that has passed.
 */
export interface AbsenceColumn {
  place: number;
  title: string;
  says: 'status' | 'gone' | 'here' | 'last day';
}

const absenceTitles: Readonly<Record<AbsenceColumn['says'], string>> = {
  status: `status|statut|estado|stato|situacao|workflow state|account status|employment status|beschaftigungsstatus|
    mitarbeiterstatus|benutzerstatus|statut du compte|estado del empleado|estado de la cuenta|stan konta|status konta`,
  gone: `suspended|is suspended|deleted|is deleted|deactivated|disabled|account disabled|inactive|is inactive|blocked|
    block sign in|sign in blocked|locked|archived|terminated|is terminated|bot|is bot|guest|is guest|is restricted|
    is ultra restricted|gesperrt|geloscht|deaktiviert|inaktiv|ausgeschieden|archiviert|gast|suspendu|desactive|inactif|
    supprime|suspendido|desactivado|inactivo|eliminado|geblokkeerd|gedeactiveerd|inactief|verwijderd|uit dienst|
    zawieszony|zawieszone|nieaktywny|nieaktywne|usuniety|usuniete|sospeso|disattivato|suspenso|inativo`,
  here: `active|is active|enabled|is enabled|account enabled|account active|aktiv|aktiviert|actif|activo|actief|aktywny|
    aktywne|attivo|ativo`,
  'last day': `termination date|termination|date terminated|last day|last working day|last day of work|leaving date|date left|
    exit date|separation date|end date|employment end date|contract end date|austritt|austrittsdatum|austritt am|
    letzter arbeitstag|vertragsende|date de sortie|date de depart|date de fin|date de fin de contrat|fecha de baja|
    fecha de salida|fecha de cese|fecha fin|datum uit dienst|uitdienstdatum|einddatum|data zwolnienia|data zakonczenia|
    data rozwiazania umowy|data di cessazione|data de desligamento|data de saida|data de demissao`,
};
const saysByTitle = new Map(
  (Object.keys(absenceTitles) as AbsenceColumn['says'][]).flatMap((says) =>
    absenceTitles[says].split('|').map((title) => [title.trim(), says] as const),
  ),
);

/** Words for people who are gone, suspended or no staff, at the beginning of a cell. */
const goneWord =
  /^(?:(?:is |was )?(?:deactivated|inactive|suspended|deleted|terminated|disabled|archived|removed|left|former|bot|guest|invited guest|(?:single|multi) channel guest|retired|resigned|dismissed|locked|blocked|departed|exited|ex employee|not active|non active|no longer)|deaktiviert|inaktiv|nicht aktiv|gesperrt|geloscht|ausgeschieden|ausgetreten|gekundigt|archiviert|gast|desactive|inactif|suspendu|supprime|sorti|parti|archive|invite|inactivo|desactivado|suspendido|eliminado|baja(?! california)|de baja|invitado|inactief|gedeactiveerd|geschorst|verwijderd|uit dienst|geblokkeerd|nieaktywn|zawieszon|usuniet|zwolnion|gosc|zablokowan|inattivo|disattivato|sospeso|cessato|eliminato|ospite|inativo|suspenso|desligado|demitido|excluido|convidado)(?:[aeyi]{0,2})(?: |$)/;

const yes = /^(?:yes|y|true|t|1|x|on|wahr|vrai|vero|verdadero|waar|prawda|verdadeiro)$/i;
const no = /^(?:no|n|false|f|0|off|falsch|faux|falso|onwaar|falsz|-|–|)$/i;

/** The columns that say of somebody that they are gone. @param taken the places of columns that hold something else */
export function findAbsences(
  header: readonly string[],
  cellsAt: (place: number) => readonly string[],
  taken: ReadonlySet<number>,
): AbsenceColumn[] {
  return [...header.entries()].flatMap(([place, title]): AbsenceColumn[] => {
    const known = readingsOf(title)
      .map((reading) => saysByTitle.get(reading))
      .find((each) => each !== undefined);
    // “Guest” stands among types.
    const says = known ?? (meaningOf(title)?.column === 'user_type' ? 'status' : undefined);
    const isSaid = says !== undefined && !taken.has(place);
    return isSaid && (known ?? cellsAt(place).some((cell) => goneWord.test(plainTitle(cell))))
      ? [{ place, title, says }]
      : [];
  });
}

/**
 * Why the file says that the person of a row is not there, as a sentence. `isUnclear`: it may say so.
 *
 * @param today yyyy-MM-dd
 */
export function absenceIn(
  cells: readonly string[],
  columns: readonly AbsenceColumn[],
  today: string,
): { note: string; isUnclear: boolean } | undefined {
  const found = columns.flatMap(({ place, title, says }) => {
    const cell = (cells[place] ?? '').trim();
    const verdict = judged(cell, says, today);
    const note = say`The column ${named(title)} says ${named(cell)}.`;
    if (verdict === 'unclear')
      return [{ note: `${note} ${say`The bot can’t tell whether they have left.`}`, isUnclear: true }];
    return verdict === 'gone' ? [{ note, isUnclear: false }] : [];
  });
  return found.find(({ isUnclear }) => !isUnclear) ?? found[0];
}

function judged(cell: string, says: AbsenceColumn['says'], today: string): 'gone' | 'here' | 'unclear' {
  const plain = plainTitle(cell);
  if (cell === '') return 'here';
  if (says !== 'last day' && goneWord.test(plain)) return 'gone';
  if (says === 'status') return 'here';
  const isYes = yes.test(plain) || meansOneOf(plain, ['yes']);
  const isNo = no.test(plain) || meansOneOf(plain, ['no']);
  if (says === 'here') return isNo ? 'gone' : 'here';
  if (says === 'gone' && (isYes || isNo)) return isYes ? 'gone' : 'here';
  // Such as “open”, “never”, “permanent” and 0000-00-00.
  if (!/[1-9]/.test(cell)) return says === 'gone' && /\p{L}/u.test(cell) ? 'unclear' : 'here';
  const days = daysIn(cell);
  const passed = days.filter((day) => day < today).length;
  if (days.length === 0) return 'unclear';
  return passed === 0 ? 'here' : passed === days.length ? 'gone' : 'unclear';
}

/** The days that a cell can mean, as yyyy-MM-dd: 3/4/2026 is one of two. */
function daysIn(cell: string): string[] {
  const [, year, month, day] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(cell) ?? [];
  if (year !== undefined) return dayOf(year, month, day);
  const [, first, separator, second, last = ''] = /^(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4}|\d{2})(?!\d)/.exec(cell) ?? [];
  if (first !== undefined) {
    const inYear = last.length === 2 ? `20${last}` : last;
    return [...dayOf(inYear, second, first), ...(separator === '.' ? [] : dayOf(inYear, first, second))];
  }
  // The number by which Excel keeps a day.
  if (/^\d{5}$/.test(cell)) return [isoDay((Number(cell) - 25_569) * 86_400_000)];
  const [, inWords] = /^(\d{1,2}[ -]\p{L}{3,9}\.?,?[ -]\d{4}|\p{L}{3,9}\.? \d{1,2},? \d{4})(?!\d)/u.exec(cell) ?? [];
  const parsed = Date.parse(`${inWords?.replaceAll('-', ' ') ?? ''} UTC`);
  return Number.isNaN(parsed) ? [] : [isoDay(parsed)];
}

function dayOf(year = '', month = '', day = ''): string[] {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const ms = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(ms) && isoDay(ms) === date ? [date] : [];
}

/** A moment’s day in UTC. */
export function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
