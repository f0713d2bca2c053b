import "./schema.test.ts";
