import "./broken-bodies.test.ts";
