import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync } from '@swc/core';
import ts from 'typescript';

/** One place of a source file, broken. */
export interface Mutant {
  kind: string;
  file: string;
  line: number;
  /** The lines with the place, as they are and as they become. */
  before: string;
  after: string;
  /** The whole file with the place broken. */
  text: string;
}

interface Change {
  kind: string;
  start: number;
  end: number;
  becomes: string;
}

const LEFT_OUT = /\.spec\.|\bmigrations\b|^(sandbox|demo)\b/;
const OPERATORS = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['===', '!=='],
  ['!==', '==='],
  ['&&', '||'],
  ['||', '&&'],
  ['-', '+'],
  ['+', '-'],
]);
/** In SQL, and as the second argument of methods of Kysely. */
const SQL_WORDS = new Map([
  ...[...OPERATORS].slice(0, 4),
  ['is', 'is not'],
  ['is not', 'is'],
  ['asc', 'desc'],
  ['desc', 'asc'],
  ['and', 'or'],
]);
const SQL_PATTERNS = [
  /(?<= )[<>]=?(?=\s)/g,
  /\s+and [\w.]+ is (not )?null\b/g,
  /(?<!\bbetween (?:(?! and ).)* )\band\b/g,
  /\b(asc|desc)\b/g,
];
const SQL_START = /^`\s*(select|insert into|update|delete from|with \w+ as)\b/;
/** A limit below is off by one, a larger one tenfold: nobody can see a millisecond more. */
const LARGE = 100;

/** The same ones for the same sources and seed: of each kind in turn, the one whose digest is the lowest. */
export function* drawMutants(folder: string, seed: string): Generator<Mutant> {
  const places = sourceFiles(folder).flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return changesOf(file, text).map((change) => ({ file, text, change, rank: digest(seed, file, change) }));
  });
  places.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  const kinds = [...Map.groupBy(places, ({ change }) => change.kind).values()];
  while (kinds.some((list) => list.length > 0)) {
    for (const list of kinds) {
      const at = list.findIndex((place) => isParsed(place.file, mutantOf(place).text));
      const taken = list.splice(0, at === -1 ? list.length : at + 1);
      if (at !== -1) yield mutantOf(taken.at(-1)!);
    }
  }
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(folder, 'src'), { recursive: true })
    .map((name) => String(name).replaceAll(sep, '/'))
    .filter((name) => /\.tsx?$/.test(name) && !LEFT_OUT.test(name))
    .map((name) => `src/${name}`)
    .sort();
}

function digest(seed: string, file: string, { start, becomes }: Change): string {
  return createHash('sha256')
    .update(JSON.stringify([seed, file, start, becomes]))
    .digest('hex');
}

function mutantOf({ file, text, change }: { file: string; text: string; change: Change }): Mutant {
  const { kind, start, end, becomes } = change;
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', end);
  return {
    kind,
    file,
    line: text.slice(0, start).split('\n').length,
    before: text.slice(from, to),
    after: text.slice(from, start) + becomes + text.slice(end, to),
    text: text.slice(0, start) + becomes + text.slice(end),
  };
}

function isParsed(file: string, text: string): boolean {
  try {
    parseSync(text, { syntax: 'typescript', tsx: file.endsWith('.tsx'), decorators: true });
    return true;
  } catch {
    return false;
  }
}

/** What can be broken in a file. Types and decorators say nothing that runs, or only what the document shows. */
function changesOf(file: string, text: string): Change[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const changes: Change[] = [];
  const add = (kind: string, node: ts.Node, becomes: string) =>
    changes.push({ kind, start: node.getStart(source), end: node.end, becomes });
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isDecorator(node)) return;
    if (ts.isBinaryExpression(node)) {
      const operator = node.operatorToken.getText(source);
      const becomes = OPERATORS.get(operator);
      const isText = operator === '+' && /['"`]/.test(node.getText(source));
      if (becomes && !isText) add(kindOf(operator), node.operatorToken, becomes);
    } else if (ts.isPrefixUnaryExpression(node)) {
      const operand = node.operand.getText(source);
      if (node.operator === ts.SyntaxKind.MinusToken) add('sign', node, operand);
      if (node.operator === ts.SyntaxKind.ExclamationToken) add('condition', node, operand);
    } else if (ts.isIfStatement(node) && isGuard(node)) {
      add('guard', node.expression, 'false');
    } else if (ts.isNumericLiteral(node) && isOfConstant(node)) {
      const value = Number(node.text);
      add('limit', node, String(value < LARGE ? value + 1 : value * 10));
    } else if (ts.isStringLiteral(node) && SQL_WORDS.has(node.text) && isSecondArgument(node)) {
      add('SQL', node, `'${SQL_WORDS.get(node.text)!}'`);
    } else if (ts.isTemplateLiteral(node) && isSql(node, source)) {
      const [start, text] = [node.getStart(source), textOf(node, source)];
      for (const match of SQL_PATTERNS.flatMap((pattern) => [...text.matchAll(pattern)])) {
        const [at, [found]] = [start + match.index, match];
        changes.push({ kind: 'SQL', start: at, end: at + found.length, becomes: SQL_WORDS.get(found) ?? '' });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return changes;
}

function kindOf(operator: string): string {
  if (operator === '+' || operator === '-') return 'sign';
  return operator === '&&' || operator === '||' ? 'condition' : 'comparison';
}

/** Whether it only keeps something from what follows. */
function isGuard({ thenStatement, elseStatement }: ts.IfStatement): boolean {
  const last = ts.isBlock(thenStatement) ? thenStatement.statements.at(-1) : thenStatement;
  return !elseStatement && last !== undefined && (ts.isThrowStatement(last) || ts.isReturnStatement(last));
}

/** Whether a number is what an UPPER_CASE constant is, or a factor of it. */
function isOfConstant({ parent }: ts.Node): boolean {
  if (ts.isBinaryExpression(parent)) return isOfConstant(parent);
  return ts.isVariableDeclaration(parent) && /^[A-Z][A-Z\d_]*$/.test(parent.name.getText());
}

function isSecondArgument(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && node.parent.arguments[1] === node;
}

function isSql(node: ts.TemplateLiteral, source: ts.SourceFile): boolean {
  const { parent } = node;
  const isTagged = ts.isTaggedTemplateExpression(parent) && parent.tag.getText(source) === 'sql';
  return isTagged || SQL_START.test(node.getText(source));
}

/** The template with another text for what is filled in. */
function textOf(node: ts.TemplateLiteral, source: ts.SourceFile): string {
  const text = node.getText(source);
  if (!ts.isTemplateExpression(node)) return text;
  const start = node.getStart(source);
  return node.templateSpans.reduce((rest, { expression }) => {
    const [from, to] = [expression.getStart(source) - start, expression.end - start];
    return rest.slice(0, from) + 'x'.repeat(to - from) + rest.slice(to);
  }, text);
}
