import { applyDecorators, Controller, Delete, Get, HttpCode, Patch, Post, Put, Req, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { OperatorTrail } from '../../../core/audit/operator-trail.js';
import type { Operator } from '../../../core/tenancy/operator.js';
import { IN_PATH, ownerInPath, type NamedIn } from '../../../identity/guards/admin-access.js';
import { NeedsSession } from '../../../identity/guards/admin-route.decorator.js';
import {
  AdminRoute,
  CurrentOperator,
  CurrentSession,
  DescribesAdmin,
  NeedsRole,
  type HeldSession,
} from '../../../identity/index.js';
import { NeverPacked } from '../../../platform/http/packed-answers.js';
import { parseInput } from '../../../platform/http/parse-input.js';
import { shapeOf } from './schema-shape.js';
import { idsIn, perform, type ActionContext, type AdminAction, type Tokens } from './admin-action.js';

const VERBS: Readonly<Record<string, (path: string) => MethodDecorator>> = {
  GET: Get,
  POST: Post,
  PUT: Put,
  PATCH: Patch,
  DELETE: Delete,
};

/** The controller of a group's actions: a route for each, with its guard and its page in the OpenAPI document. */
export function controllerOf<T extends Tokens>(name: string, tokens: T, actions: readonly AdminAction<T>[]): Type {
  const names = Object.keys(tokens);
  const controller = {
    [name]: class {
      readonly services: object;
      constructor(trail: OperatorTrail, ...services: readonly unknown[]) {
        this.services = { trail, ...Object.fromEntries(names.map((one, place) => [one, services[place]])) };
      }
    },
  }[name]!;
  Reflect.defineMetadata('design:paramtypes', [OperatorTrail, ...Object.values(tokens)], controller);
  for (const action of actions) addRoute(controller, action);
  applyDecorators(AdminRoute(), Controller('admin/v1'))(controller);
  return controller as Type;
}

function addRoute<T extends Tokens>({ prototype }: { readonly prototype: object }, action: AdminAction<T>): void {
  const { name, lists } = action;
  const [method = '', path = ''] = action.route.split(' ');
  const hasAnswer = action.answers !== undefined || lists !== undefined;
  const handler = {
    async value(
      this: { readonly services: object },
      operator: Operator,
      request: FastifyRequest,
      session?: HeldSession,
    ): Promise<unknown> {
      const ifMatch = action.takesIfMatch === true ? request.headers['if-match'] : undefined;
      // The services were injected by the tokens of T.
      const context = { ...this.services, operator, ifMatch, session } as unknown as ActionContext<T>;
      const result = await perform(action, context, inputOf(action, request) as never);
      if (!hasAnswer) return undefined;
      return lists === undefined ? result : { items: result };
    },
    writable: true,
    configurable: true,
  };
  Object.defineProperty(prototype, name, handler);
  CurrentOperator()(prototype, name, 0);
  Req()(prototype, name, 1);
  if (action.who === 'session') CurrentSession()(prototype, name, 2);
  applyDecorators(
    VERBS[method]!(path),
    HttpCode(action.status ?? (hasAnswer ? 200 : 204)),
    ...needsOf(action),
    ...(action.isSecret === true ? [NeverPacked()] : []),
    described(action),
  )(prototype, name, handler);
}

function inputOf<T extends Tokens>({ body, query }: AdminAction<T>, request: FastifyRequest): object {
  const ids = request.params as object;
  if (body !== undefined) return { ...ids, ...(parseInput(body, request.body) as object) };
  return query === undefined ? { ...ids } : { ...ids, ...(parseInput(query, request.query, '/query') as object) };
}

function needsOf<T extends Tokens>({ who, route }: AdminAction<T>): MethodDecorator[] {
  if (who === 'installation admin') return [];
  if (who === 'session') return [NeedsSession()];
  return [typeof who === 'object' ? NeedsRole(who.role, who.of) : NeedsRole(who, ownerOf(idsIn(route)[0]))];
}

function ownerOf(id: string | undefined): NamedIn {
  if (id === undefined) throw new Error('An action without an id in its path says where the organization is named.');
  return id === 'organizationId' ? IN_PATH : ownerInPath(id.replace(/Id$/, '') as Parameters<typeof ownerInPath>[0]);
}

function described<T extends Tokens>(action: AdminAction<T>): MethodDecorator {
  const { name, does, body, query, example, answers, lists, shows, status, refusals } = action;
  const schema = answers ?? lists;
  return DescribesAdmin({
    operationId: name,
    summary: does,
    ...(body === undefined ? {} : { body: action.described ?? body, example }),
    ...(query === undefined ? {} : { query: meaningsIn(query) }),
    inPath: Object.fromEntries(idsIn(action.route).map((id) => [id, ''])),
    status: status ?? (schema === undefined ? 204 : 200),
    answer: schema === undefined ? null : lists === undefined ? shows : { items: [shows] },
    ...(schema === undefined ? {} : { schema, isList: lists !== undefined }),
    ...(refusals === undefined ? {} : { refusals }),
    takesIfMatch: action.takesIfMatch === true,
  });
}

function meaningsIn(query: z.ZodType): Record<string, string> {
  const fields = Object.entries(shapeOf(query));
  const meanings = fields.map(([field, { description }]) => {
    if (description === undefined) throw new Error(`The field ${field} of a query lacks its description.`);
    return [field, description];
  });
  return Object.fromEntries(meanings) as Record<string, string>;
}
