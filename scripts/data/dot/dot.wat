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
    (call $total (local.get $sum)))

  ;; The same with each of $count rows (one or more), as int32 from $out on.
  (func (export "scan") (param $q i32) (param $end i32) (param $row i32) (param $out i32) (param $count i32)
    (local $stride i32)
    (local $last i32)
    (local.set $stride (i32.shr_u (i32.sub (local.get $end) (local.get $q)) (i32.const 1)))
    (local.set $last (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (loop $next
      (i32.store (local.get $out) (call $dot (local.get $q) (local.get $end) (local.get $row)))
      (local.set $row (i32.add (local.get $row) (local.get $stride)))
      (br_if $next (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 4))) (local.get $last)))))

  ;; The same with the four queries that begin $size bytes apart from $q on: the sums of each begin $apart bytes behind those of the one before.
  (func (export "scan4") (param $q i32) (param $size i32) (param $row i32) (param $out i32) (param $count i32) (param $apart i32)
    (local $last i32)
    (local $end i32)
    (local $q0 i32) (local $q1 i32) (local $q2 i32) (local $q3 i32)
    (local $low v128)
    (local $high v128)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local.set $last (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $end (i32.add (local.get $q) (local.get $size)))
    (loop $rows
      (local.set $q0 (local.get $q))
      (local.set $q1 (i32.add (local.get $q0) (local.get $size)))
      (local.set $q2 (i32.add (local.get $q1) (local.get $size)))
      (local.set $q3 (i32.add (local.get $q2) (local.get $size)))
      (local.set $s0 (v128.const i32x4 0 0 0 0))
      (local.set $s1 (v128.const i32x4 0 0 0 0))
      (local.set $s2 (v128.const i32x4 0 0 0 0))
      (local.set $s3 (v128.const i32x4 0 0 0 0))
      (loop $next
        (local.set $low (v128.load8x8_s (local.get $row)))
        (local.set $high (v128.load8x8_s offset=8 (local.get $row)))
        (local.set $s0
          (i32x4.add
            (local.get $s0)
            (i32x4.add
              (i32x4.dot_i16x8_s (v128.load (local.get $q0)) (local.get $low))
              (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $q0)) (local.get $high)))))
        (local.set $s1
          (i32x4.add
            (local.get $s1)
            (i32x4.add
              (i32x4.dot_i16x8_s (v128.load (local.get $q1)) (local.get $low))
              (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $q1)) (local.get $high)))))
        (local.set $s2
          (i32x4.add
            (local.get $s2)
            (i32x4.add
              (i32x4.dot_i16x8_s (v128.load (local.get $q2)) (local.get $low))
              (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $q2)) (local.get $high)))))
        (local.set $s3
          (i32x4.add
            (local.get $s3)
            (i32x4.add
              (i32x4.dot_i16x8_s (v128.load (local.get $q3)) (local.get $low))
              (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $q3)) (local.get $high)))))
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (local.set $q1 (i32.add (local.get $q1) (i32.const 32)))
        (local.set $q2 (i32.add (local.get $q2) (i32.const 32)))
        (local.set $q3 (i32.add (local.get $q3) (i32.const 32)))
        (br_if $next (i32.lt_u (local.tee $q0 (i32.add (local.get $q0) (i32.const 32))) (local.get $end))))
      (i32.store (local.get $out) (call $total (local.get $s0)))
      (i32.store (i32.add (local.get $out) (local.get $apart)) (call $total (local.get $s1)))
      (i32.store (i32.add (i32.add (local.get $out) (local.get $apart)) (local.get $apart)) (call $total (local.get $s2)))
      (i32.store (i32.add (i32.add (i32.add (local.get $out) (local.get $apart)) (local.get $apart)) (local.get $apart)) (call $total (local.get $s3)))
      (br_if $rows (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 4))) (local.get $last)))))

  ;; The sum of four numbers.
  (func $total (param $sum v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum))))))
