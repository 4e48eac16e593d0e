import { SaxesParser } from 'saxes';
import { UnreadableFileError } from './statement-file.js';
import { refuseMoreThanRows } from './statements.js';

/** An element of a statement, named without its prefix. */
export interface XmlElement {
  name: string;
  line: number;
  /** Of the attribute `Ccy`. */
  currency: string | undefined;
  text: string;
  children: XmlElement[];
}

/** saxes takes time that grows with the square of the depth; a statement has some fifteen levels. */
const MAX_DEPTH = 64;
const PIECE = 65_536;

/** What holds the statements of CAMT.053, and the reports of CAMT.052. */
const STATEMENTS = new Set(['Stmt', 'Rpt']);

export interface StatementEvents {
  begin(line: number): void;
  /** An element of the statement, such as `Ntry`, once it is complete. */
  element(element: XmlElement): void;
}

/**
 * Reads the statements of an XML document, element by element, so that a large one is never in memory as a whole. The
 * namespace says no more than the version; nothing is read of what follows an error.
 *
 * @throws UnreadableFileError for what is not well-formed, or has a document type, or is nested too deeply
 */
export function readStatements(text: string, events: StatementEvents): void {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const open: XmlElement[] = [];
  /** How many elements are open outside of what is kept. */
  let depth = 0;
  let statementDepth: number | null = null;
  let statements = 0;
  /** How many elements the open one has within it. */
  let within = 0;

  parser.on('error', ({ message }) => {
    const reason = message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
    throw new UnreadableFileError(
      `The file is not well-formed XML: line ${parser.line}, column ${parser.column}: ${reason}.`,
      parser.line,
    );
  });
  parser.on('doctype', () => {
    throw new UnreadableFileError('A document type declaration is not accepted.', parser.line);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > MAX_DEPTH) throw new UnreadableFileError('The file is nested too deeply.', parser.line);
    const local = name.slice(name.indexOf(':') + 1);
    if (statementDepth !== null) {
      refuseMoreThanRows(++within);
      const element = { name: local, line: parser.line, currency: attributes.Ccy, text: '', children: [] };
      open.at(-1)?.children.push(element);
      open.push(element);
    } else if (STATEMENTS.has(local)) {
      refuseMoreThanRows(++statements);
      statementDepth = depth;
      events.begin(parser.line);
    }
  });
  const addText = (part: string) => {
    const element = open.at(-1);
    if (element) element.text += part;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const element = open.pop();
    if (element && open.length === 0) {
      events.element(element);
      within = 0;
    }
    if (depth === statementDepth) statementDepth = null;
    depth--;
  });
  // Blank lines before the declaration, and a mark of the end behind the last element, are written and are no XML.
  const document = text.slice(0, endOf(text)).replace(/^(\s+)<\?xml[^>]*\?>/, '$1');
  for (let at = 0; at < document.length; at += PIECE) parser.write(document.slice(at, at + PIECE));
  parser.close();
}

function endOf(text: string): number {
  let end = text.length;
  while (end > 0 && /[\s\0\x1a]/.test(text[end - 1]!)) end--;
  return end;
}

/** The first element at a path such as `Acct/Id/IBAN`. */
export function find(element: XmlElement, path: string): XmlElement | undefined {
  let found: XmlElement | undefined = element;
  for (const name of path.split('/')) found = found?.children.find((child) => child.name === name);
  return found;
}

/** All elements at a path. */
export function findAll(element: XmlElement, path: string): XmlElement[] {
  let found = [element];
  for (const name of path.split('/')) {
    found = found.flatMap(({ children }) => children.filter((child) => child.name === name));
  }
  return found;
}

/** The text at the first of some paths that has one. */
export function textAt(element: XmlElement, ...paths: readonly string[]): string {
  for (const path of paths) {
    const text = find(element, path)?.text.trim() ?? '';
    if (text !== '') return text;
  }
  return '';
}
