#!/usr/bin/env node
/**
 * The program `meshwright` of the npm package.
 *
 * @module
 */
import process from "node:process";
import { run } from "./main.ts";
import { nodeHost } from "./node_host.ts";

process.exit(await run(nodeHost()));
