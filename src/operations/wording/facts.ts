import { say } from '../../domain/said.ts';
import { rightsInWords, statusInWords, typeInWords } from './words.ts';

/** What a fact of a target (`domain/approval-request.ts`) is called. The record and digests have the English name. */
export function factLabel(fact: string): string {
  switch (fact) {
    case 'Name':
      return say`Name`;
    case 'State':
      return say`State`;
    case 'User name':
      return say`User name`;
    case 'E-mail address':
      return say`E-mail address`;
    case 'Type':
      return say`Type`;
    case 'Rights':
      return say`Rights`;
    case 'Suspended':
      return say`Suspended`;
    default:
      return fact;
  }
}

/** The value of a fact in words. Names and addresses stay as they are. */
export function factInWords(fact: string, value: string): string {
  switch (fact) {
    case 'State':
      return statusInWords(value.replace(' ', '_'));
    case 'Type':
      return typeInWords(value);
    case 'Rights':
      return value === 'none' ? say`none` : rightsInWords(value.split(', ').map((right) => right.replace(' ', '_')));
    case 'Suspended':
      return value === 'yes' ? say`yes` : say`no`;
    default:
      return value;
  }
}

/** Says that a fact of a thing is another one now, as a sentence. @param name of the thing, marked */
export function changedFact(name: string, fact: string, values: { was: string; is: string }): string {
  const [was, is] = [factInWords(fact, values.was), factInWords(fact, values.is)];
  switch (fact) {
    case 'Name':
      return say`${name}: name was “${was}”, is now “${is}”.`;
    case 'State':
      return say`${name}: state was “${was}”, is now “${is}”.`;
    case 'User name':
      return say`${name}: user name was “${was}”, is now “${is}”.`;
    case 'E-mail address':
      return say`${name}: e-mail address was “${was}”, is now “${is}”.`;
    case 'Type':
      return say`${name}: type was “${was}”, is now “${is}”.`;
    case 'Rights':
      return say`${name}: rights was “${was}”, is now “${is}”.`;
    case 'Suspended':
      return say`${name}: suspended was “${was}”, is now “${is}”.`;
    default:
      return say`${name}: ${fact.toLowerCase()} was “${was}”, is now “${is}”.`;
  }
}
