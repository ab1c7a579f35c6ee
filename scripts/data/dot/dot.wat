;; Dot products of a query with rows of int8, 16 numbers at a time. dot.wasm is `wat2wasm dot.wat` (wabt 1.0.39).
;; A query is int16, a row int8; both have `stride` numbers, a multiple of 16, zeros at the end. No sum leaves 31 bits:
;; daemon/src/models/rows.ts sees to it.
(module
  (memory (export "memory") 1)

  ;; The dot product of the query at $q, which ends at $end, with the row at $row.
  (func $dot (export "dot") (param $q i32) (param $end i32) (param $row i32) (result i32)
    (local $sum v128)
    (loop $next
      (local.set $sum
        (i32x4.add
          (local.get $sum)
          (i32x4.add
            (i32x4.dot_i16x8_s (v128.load (local.get $q)) (v128.load8x8_s (local.get $row)))
            (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $q)) (v128.load8x8_s offset=8 (local.get $row))))))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (br_if $next (i32.lt_u (local.tee $q (i32.add (local.get $q) (i32.const 32))) (local.get $end))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))

  ;; The same with each of $count rows (one or more), as int32 from $out on.
  (func (export "scan") (param $q i32) (param $end i32) (param $row i32) (param $out i32) (param $count i32)
    (local $stride i32)
    (local $last i32)
    (local.set $stride (i32.shr_u (i32.sub (local.get $end) (local.get $q)) (i32.const 1)))
    (local.set $last (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (loop $next
      (i32.store (local.get $out) (call $dot (local.get $q) (local.get $end) (local.get $row)))
      (local.set $row (i32.add (local.get $row) (local.get $stride)))
      (br_if $next (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 4))) (local.get $last))))))
