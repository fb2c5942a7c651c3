import { plainName } from '../../directory/names.ts';

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
export function readingsOf(title: string): string[] {
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
export function mailIn(title: string): 'work' | 'private' | undefined {
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
