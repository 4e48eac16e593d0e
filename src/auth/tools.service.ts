import { Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Caller } from '../http/caller.js';
import { queryParametersOf } from '../http/input/query-parameters.guard.js';
import { RequestValidationPipe } from '../http/input/request-validation.pipe.js';
import { getterOf, Installed, type Tool } from '../platform/module.js';
import { limitFilter } from './account-limits.guard.js';

/** Where Swagger keeps what its decorators say of a member. */
const SWAGGER = 'swagger/apiModelProperties';
/** Reading by cursor is for programs that copy whole lists. */
const NOT_FOR_ASSISTANTS = 'cursor';

/** An argument of a tool: a query parameter of the list that it reads. */
export interface ToolArgument {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean';
  readonly description: string;
}

/** A tool, for one caller. */
export interface CallersTool extends Pick<Tool, 'name' | 'title' | 'description'> {
  readonly arguments: readonly ToolArgument[];
  /** @throws DomainError for arguments that the list would refuse */
  readonly read: (parameters: Record<string, string>) => Promise<object>;
}

/** The tools of assistants: lists of the API that the rooms and modules name. */
@Injectable()
export class ToolsService {
  constructor(
    private readonly installed: Installed,
    private readonly moduleRef: ModuleRef,
    private readonly validation: RequestValidationPipe,
  ) {}

  /** Those for which the caller has the scope. A key that is limited to accounts reads these only. */
  list(caller: Caller): CallersTool[] {
    const tools = this.installed.parts.flatMap(({ tools: all = [] }) => all);
    return tools.filter(({ scope }) => caller.scopes.includes(scope)).map((tool) => this.#forCaller(caller, tool));
  }

  #forCaller(caller: Caller, tool: Tool): CallersTool {
    const { name, title, description, query: queryClass } = tool;
    return {
      name,
      title,
      description,
      arguments: argumentsOf(queryClass),
      read: (parameters) => {
        const limited = caller.accountIds ? limitFilter(parameters, caller.accountIds) : parameters;
        return tool.read(caller, this.validation.readQuery(queryClass, limited), getterOf(this.moduleRef));
      },
    };
  }
}

function argumentsOf(queryClass: Type): ToolArgument[] {
  const names = [...queryParametersOf(queryClass)].filter((name) => name !== NOT_FOR_ASSISTANTS);
  return names.map((name) => {
    const said = Reflect.getMetadata(SWAGGER, queryClass.prototype as object, name) as {
      type?: unknown;
      description?: string;
    };
    const type = said.type === 'integer' ? 'number' : said.type === Boolean ? 'boolean' : 'string';
    return { name, type, description: said.description ?? '' };
  });
}
