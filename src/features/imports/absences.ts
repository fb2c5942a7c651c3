import { say, named } from '../../domain/said.ts';
import { meansOneOf } from '../../operations/other-words/meanings.ts';
import { plainTitle, readingsOf, meaningOf } from './titles.ts';

/**
 * A column that says who is no user any more, or no member of the staff. `status`: in a word. `gone`: by yes, a day or a word.
 * `here`: by no. `last day`: by a day that has passed.
 */
export interface AbsenceColumn {
  place: number;
  title: string;
  says: 'status' | 'gone' | 'here' | 'last day';
}

const titles: Readonly<Record<AbsenceColumn['says'], string>> = {
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
  (Object.keys(titles) as AbsenceColumn['says'][]).flatMap((says) =>
    titles[says].split('|').map((title) => [title.trim(), says] as const),
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
