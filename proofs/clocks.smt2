; Clocks of bounded drift: why one span P of true time fits between lease and promise.
;
; A clock shows at least 1 - rho and at most 1 + rho units in a unit of true time. A promise lasts L
; on the voter's clock, a lease D on the candidate's, and R4 says D <= L (1 - rho) / (1 + rho) -
; margin. Let P = L / (1 + rho). Then (1) a voter whose clock has gone L further has waited for P, and
; (2) a candidate whose clock has gone less than D further since it asked is within P; with a margin
; of no less than nothing. Both are shown by refuting the contrary. (3) Without the factor they fail.
(set-logic QF_NRA)
(declare-const rho Real)
(declare-const L Real)
(declare-const D Real)
(declare-const P Real)
(declare-const elapsed Real) ; true time
(declare-const shown Real)   ; by one clock, meanwhile
(assert (and (<= 0.0 rho) (< rho 1.0) (< 0.0 L) (<= 0.0 D)))
(assert (= (* P (+ 1.0 rho)) L))
(assert (<= 0.0 elapsed))
(assert (<= (* (- 1.0 rho) elapsed) shown))
(assert (<= shown (* (+ 1.0 rho) elapsed)))

(push 1) ; (1) the promise is over on the voter's clock, but P has not passed
(assert (and (<= L shown) (< elapsed P)))
(check-sat)
(pop 1)

(push 1) ; (2) the lease goes on on the candidate's clock, but P has passed
(assert (<= (* D (+ 1.0 rho)) (* L (- 1.0 rho))))
(assert (and (< shown D) (<= P elapsed)))
(check-sat)
(pop 1)

(push 1) ; (3) the same with D = L, for some clocks
(assert (and (= D L) (= L 3.0) (= rho 0.5) (= shown (* 0.5 elapsed))))
(assert (and (< shown D) (<= P elapsed)))
(check-sat)
(pop 1)
